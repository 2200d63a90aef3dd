/** How much of the machine others use: a number measured beside busy neighbours says little. */
import { cpus, loadavg, totalmem } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Above this share of all cores the machine is not quiet. */
export const quietShare = 0.1;

export function machine() {
  const [cpu] = cpus();
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpu?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: loadavg().map((value) => Number(value.toFixed(2))),
  };
}

/** The share of all cores that is busy while we do nothing for a second. */
export async function neighbours() {
  const before = times();
  await sleep(1_000);
  const after = times();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

export function asText(share) {
  return `${Math.round(share * 100)} % of the machine used by others, load average ${loadavg()[0]?.toFixed(1)}`;
}

function times() {
  let idle = 0;
  let all = 0;
  for (const { times: spent } of cpus()) {
    idle += spent.idle;
    all += spent.user + spent.nice + spent.sys + spent.irq + spent.idle;
  }
  return { idle, all };
}
