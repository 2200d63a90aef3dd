/** From nothing to the first answer, and what an idle process holds. */
import { setTimeout as sleep } from "node:timers/promises";
import { startDaemon } from "./daemon.mjs";
import { keepAlive } from "./keep-alive.mjs";
import { programs, residentMegabytes, startServer } from "./processes.mjs";
import { median } from "./statistics.mjs";

export async function run({ report, say, rounds }) {
  const ours = { ms: [], megabytes: [] };
  const bare = { ms: [], megabytes: [] };
  for (let round = 1; round <= rounds(10); round++) {
    say(`start ${round} of ${rounds(10)}`);
    await measure(bare, () => startServer([programs.bareServer]));
    await measure(ours, () => startDaemon());
  }
  report({
    name: "spawn → first answer of /health",
    value: median(ours.ms),
    unit: "ms",
    baseline: median(bare.ms),
    baselineIs: "spawn of a bare node:http server → first answer",
  });
  report({
    name: "idle RSS",
    value: median(ours.megabytes),
    unit: "MB",
    baseline: median(bare.megabytes),
    baselineIs: "a bare node:http server",
  });
}

async function measure(results, start) {
  const server = await start();
  const connection = await keepAlive(server.port);
  await connection.ask("GET", "/health");
  results.ms.push(performance.now() - server.started);
  connection.close();
  await sleep(1_000);
  results.megabytes.push(await residentMegabytes(server.pid));
  await server.stop();
}
