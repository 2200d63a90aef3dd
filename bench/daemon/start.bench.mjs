/** From nothing to the first answer, and what an idle process holds. */
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startDaemon } from "../daemon.mjs";
import { keepAlive } from "../keep-alive.mjs";
import { programs, residentMegabytes, startServer } from "../processes.mjs";
import { median } from "../statistics.mjs";

const mostTimes = 2;
const mostMegabytes = 25;

export async function run({ report, say, rounds }) {
  const ours = { ms: [], megabytes: [] };
  const bare = { ms: [], megabytes: [] };
  for (let round = 1; round <= rounds(10); round++) {
    say(`start ${round} of ${rounds(10)}`);
    await measure(bare, () => startServer([programs.bareServer]));
    await measure(ours, () => startDaemon());
  }
  const ms = { value: median(ours.ms), baseline: median(bare.ms) };
  report({
    name: "spawn → first answer of /health",
    ...ms,
    unit: "ms",
    baselineIs: "spawn of a bare node:http server → first answer",
    budget: `≤ ${mostTimes} × bare`,
    ok: ms.value <= mostTimes * ms.baseline,
  });
  const megabytes = { value: median(ours.megabytes), baseline: median(bare.megabytes) };
  report({
    name: "idle RSS",
    ...megabytes,
    unit: "MB",
    baselineIs: "a bare node:http server",
    budget: `≤ bare + ${mostMegabytes}`,
    ok: megabytes.value <= megabytes.baseline + mostMegabytes,
  });
  await reportImports(report, rounds(5));
}

/** Where the time of a start would go, were it not for the bundle and its code cache. */
async function reportImports(report, count) {
  const costs = [];
  for (let round = 0; round < count; round++) {
    const { stdout } = await promisify(execFile)(process.execPath, [programs.imports]);
    costs.push(JSON.parse(stdout));
  }
  for (const [index, { name }] of costs[0].entries()) {
    const megabytes = median(costs.map((round) => round[index].megabytes));
    report({
      name: `… import ${name}`,
      value: median(costs.map((round) => round[index].ms)),
      unit: `ms, ${megabytes.toFixed(1)} MB`,
      note: "added to those above it, as separate modules without a code cache",
    });
  }
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
