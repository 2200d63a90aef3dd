/** The smallest request on a kept-open connection. */
import { startDaemon } from "../daemon.mjs";
import { keepAlive } from "../keep-alive.mjs";
import { programs, startServer } from "../processes.mjs";
import { median, percentile } from "../statistics.mjs";

const warmUp = 500;
const perBlock = 1_000;

export async function run({ report, say, rounds, profile }) {
  const servers = { bare: await startServer([programs.bareServer]), ours: await startDaemon({ profile }) };
  const times = { bare: [], ours: [] };
  for (const [name, { port }] of Object.entries(servers)) await ask(port, warmUp, times[name]);
  times.bare = [];
  times.ours = [];
  for (let round = 1; round <= rounds(10); round++) {
    say(`${perBlock} requests to each, ${round} of ${rounds(10)}`);
    for (const [name, { port }] of Object.entries(servers)) await ask(port, perBlock, times[name]);
  }
  const baselineIs = "a bare node:http server, same client";
  for (const [title, at] of [
    ["p50", median],
    ["p99", (values) => percentile(values, 99)],
  ]) {
    const name = `GET /health, keep-alive, ${title}`;
    report({ name, value: at(times.ours), unit: "µs", baseline: at(times.bare), baselineIs });
  }
  await Promise.all(Object.values(servers).map((server) => server.stop()));
}

async function ask(port, count, times) {
  const connection = await keepAlive(port);
  for (let done = 0; done < count; done++) {
    const started = performance.now();
    await connection.ask("GET", "/health");
    times.push((performance.now() - started) * 1_000);
  }
  connection.close();
}
