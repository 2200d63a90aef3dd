/**
 * A loss that is planted: what the process does takes so many per cent more CPU, by `--title=<per cent>`. Shows that
 * `--against` finds one.
 */
const share = Number(process.title) / 100;
let before = process.cpuUsage();

setInterval(() => {
  const used = total(process.cpuUsage(before));
  const started = process.cpuUsage();
  while (total(process.cpuUsage(started)) < used * share);
  before = process.cpuUsage();
}, 5).unref();

function total({ user, system }) {
  return user + system;
}
