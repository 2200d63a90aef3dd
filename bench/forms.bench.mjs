/** Start and idle memory of the daemon in each form one can have it: clone, bundle, single executable; and of the peer. */

import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeExecutable } from "../scripts/release/executables.mjs";
import { ownTarget } from "../scripts/release/targets.mjs";
import { keepAlive } from "./keep-alive.mjs";
import { startPeer } from "./peer.bench.mjs";
import { residentMegabytes, scratchFolder, startServer } from "./processes.mjs";
import { median } from "./statistics.mjs";

const place = (path) => fileURLToPath(new URL(`../daemon/cli/${path}`, import.meta.url));
/** Of the executable. */
const mostMs = 55;
const mostMegabytes = 41;

export async function run({ report, say, rounds, peer }) {
  const executable = await makeExecutable({ name: "sandbox-daemon", target: ownTarget, folder: await scratchFolder() });
  const forms = {
    "clone (modules, no cache)": () => startOurs([process.execPath, place("dist/main.js")]),
    "bundle with its cache": () => startOurs([process.execPath, place("bin/sandbox-daemon.cjs")]),
    "single executable": () => startOurs([executable]),
    ...(peer === undefined ? {} : { "sandbox-agent": () => startPeer(peer) }),
  };
  const found = Object.fromEntries(Object.keys(forms).map((form) => [form, { ms: [], megabytes: [] }]));
  for (let round = 1; round <= rounds(10); round++) {
    say(`${round} of ${rounds(10)}`);
    for (const [form, start] of Object.entries(forms)) await measure(found[form], start);
  }
  for (const [form, { ms, megabytes }] of Object.entries(found)) {
    const isOurs = form === "single executable";
    const limit = (most, value) => (isOurs ? { budget: `≤ ${most}`, ok: value <= most } : {});
    report({ name: `${form}: spawn → first answer`, value: median(ms), unit: "ms", ...limit(mostMs, median(ms)) });
    const value = median(megabytes);
    report({ name: `${form}: idle RSS`, value, unit: "MB", ...limit(mostMegabytes, value) });
  }
}

/** With the environment that the peer has too: what else is in ours may cost time. */
async function startOurs([command, ...args]) {
  const data = await scratchFolder();
  const served = ["--port", "0", "--no-token", "--log-level", "warn", "--data-dir", data];
  const server = await startServer([...args, ...served], { HOME: data, PATH: process.env.PATH }, command);
  const connection = await keepAlive(server.port);
  await connection.ask("GET", "/health");
  const answered = performance.now();
  connection.close();
  return { ...server, answered };
}

async function measure(results, start) {
  const server = await start();
  results.ms.push((server.answered ?? performance.now()) - server.started);
  await sleep(500);
  results.megabytes.push(await residentMegabytes(server.pid));
  await server.stop();
}
