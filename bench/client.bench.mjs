/** The SDK for TypeScript: what importing it takes, CPU per event beside a bare reader, and many open streams. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { startDaemon } from "./daemon.mjs";
import { programs, startProgram, stop } from "./processes.mjs";
import { median } from "./statistics.mjs";

const client = new URL("../daemon/client/dist/index.js", import.meta.url).href;
const schemas = new URL("../daemon/schema/dist/index.js", import.meta.url).href;

export async function run({ report, rounds, scale, say }) {
  const importing = (from) =>
    Number(execFileSync(process.execPath, [programs.clientImport, from], { encoding: "utf8" }));
  const imported = (from) => median(Array.from({ length: rounds(9) }, () => importing(from)));
  const baselineIs = "the schemas with zod, which it does without";
  report({
    name: "import @muster/client",
    unit: "ms",
    value: imported(client),
    baseline: imported(schemas),
    baselineIs,
  });

  const daemon = await startDaemon();
  await daemon.create("bench");
  const events = scale(100_000);
  say(`a turn of ${events} events`);
  const message = `burst ${events}`;
  await daemon.call("POST", "/sessions/bench/messages", { message, messageId: "bench" });
  await daemon.idle("bench");
  const { lastSequence } = await daemon.session("bench");
  const order = {
    client,
    endpoint: `http://127.0.0.1:${daemon.port}`,
    sessionId: "bench",
    message,
    last: lastSequence,
  };
  const cpu = { prompt: [], bare: [] };
  for (let round = 0; round < rounds(7); round++) {
    for (const how of ["prompt", "bare"]) cpu[how].push(await ask({ ...order, how }));
  }
  report({
    name: "CPU of an event in session.prompt",
    unit: "µs",
    value: median(cpu.prompt),
    baseline: median(cpu.bare),
    baselineIs: "fetch, text split at blank lines, JSON parsed",
  });
  const streams = scale(1_000);
  report({
    name: `RSS of a program for each of ${streams.toLocaleString("en")} open session.events`,
    unit: "kB",
    value: await ask({ ...order, how: "streams", streams }),
    baseline: await ask({ ...order, how: "bareStreams", streams }),
    baselineIs: "as many bare fetches",
  });
  await daemon.stop();
}

/** What a program of its own measures of itself. */
async function ask(order) {
  const child = startProgram(programs.clientReader);
  child.send(order);
  const [{ value, failure }] = await once(child, "message");
  await stop(child);
  if (failure !== undefined) throw new Error(failure);
  return value;
}
