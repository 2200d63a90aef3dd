/** Whether the sessions of the past make the daemon slower: 10 of them against 20,000. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startDaemon, turnEnded } from "../daemon.mjs";
import { keepAlive } from "../keep-alive.mjs";
import { removeFolder, scratchFolder } from "../processes.mjs";
import { readOnce } from "../readers.mjs";
import { median } from "../statistics.mjs";

const few = 10;
/** "Unaffected", with room for the noise of a machine that does other things. */
const mostRatio = 1.5;
const idOf = (number) => `old-${String(number).padStart(6, "0")}`;

export async function run({ report, say, rounds, scale }) {
  const many = scale(20_000);
  const template = await oneOldSession();
  const small = await dataDirectory(template, few);
  say(`copying one old session ${many.toLocaleString("en")} times`);
  const large = await dataDirectory(template, many);
  const results = { small: newResults(), large: newResults() };
  for (let round = 1; round <= rounds(7); round++) {
    say(`start and list, ${round} of ${rounds(7)}`);
    const pair = [await start(small, few, results.small), await start(large, many, results.large)];
    await ask(pair, encodeURIComponent(JSON.parse(template.index).directory));
    await Promise.all(pair.map((one) => one.stop()));
  }
  const compared = `${few} old sessions → ${many.toLocaleString("en")}`;
  const baselineIs = `the same daemon with ${few} old sessions`;
  for (const [title, field] of [
    [`start → /health, ${compared}`, "health"],
    [`list, first 10, ${compared}`, "first"],
    [`list, last 5, ${compared}`, "last"],
    [`the last used of a directory, ${compared}`, "lastUsed"],
    [`get the last one, ${compared}`, "get"],
  ]) {
    const [value, baseline] = [median(results.large[field]), median(results.small[field])];
    const ok = value / baseline <= mostRatio;
    report({ name: title, value, unit: "ms", baseline, baselineIs, budget: `≤ ${mostRatio} ×`, ok });
  }
  const [value, baseline] = [median(results.large.firstList), median(results.small.firstList)];
  report({
    name: `start → first list answered, ${compared}`,
    value,
    unit: "ms",
    baseline,
    baselineIs,
    note: "a list asked for at once waits for the session index to be read, once per start",
  });
  say("without the session index");
  await rm(join(large, "sessions.jsonl"));
  const lost = newResults();
  await (await start(large, many, lost)).stop();
  const after = newResults();
  for (let round = 0; round < rounds(3); round++) await (await start(large, many, after)).stop();
  const healed = median(after.firstList);
  report({
    name: `start → first list, ${many.toLocaleString("en")} old sessions, the second start after the index was lost`,
    value: healed,
    unit: "ms",
    baseline: value,
    baselineIs: "the same with an index that was never lost",
    budget: `≤ ${mostRatio} ×`,
    ok: healed / value <= mostRatio,
    note: `the start that makes the index again took ${Math.round(median(lost.firstList))} ms to its first list`,
  });
  for (const folder of [template.data, small, large]) await removeFolder(folder);
}

function newResults() {
  return { health: [], firstList: [], first: [], last: [], lastUsed: [], get: [] };
}

/** Starts a daemon, asks for its health and for a list, and keeps the connection. */
async function start(dataDir, count, results) {
  const daemon = await startDaemon({ dataDir });
  const connection = await keepAlive(daemon.port);
  const timed = async (path) => {
    const started = performance.now();
    const answer = await connection.ask("GET", path);
    if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`${path} → ${answer}`);
    return performance.now() - started;
  };
  await timed("/health");
  results.health.push(performance.now() - daemon.started);
  await timed("/sessions?limit=10");
  results.firstList.push(performance.now() - daemon.started);
  const stop = () => {
    connection.close();
    return daemon.stop();
  };
  return { count, results, timed, stop };
}

/** In turns, so that whatever else the machine does falls on both. */
async function ask(daemons, directory) {
  for (let turn = 0; turn < 100; turn++) {
    for (const { count, results, timed } of daemons) {
      results.first.push(await timed("/sessions?limit=10"));
      results.last.push(await timed(`/sessions?after=${idOf(count - 5)}`));
      results.lastUsed.push(await timed(`/sessions?agent=mock&directory=${directory}&order=updated&limit=1`));
      results.get.push(await timed(`/sessions/${idOf(count)}`));
    }
  }
}

/** A session that was real, has ended, and lies on disk. */
async function oneOldSession() {
  const daemon = await startDaemon();
  const sessionId = idOf(0);
  await daemon.create(sessionId);
  await daemon.send(sessionId, "echo of an old session");
  await readOnce({ port: daemon.port, path: `/sessions/${sessionId}/events/sse?offset=0`, until: turnEnded });
  await daemon.call("POST", `/sessions/${sessionId}/terminate`);
  await daemon.stop();
  const folder = join(daemon.data, "sessions", sessionId);
  const files = new Map();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name), "utf8"));
  const index = (await readFile(join(daemon.data, "sessions.jsonl"), "utf8")).trim().split("\n").at(-1) ?? "";
  return { data: daemon.data, sessionId, files, index };
}

/** Ids are equally long, so nothing but the id changes in a copy. */
async function dataDirectory({ data, sessionId, files, index }, count) {
  const copy = await scratchFolder();
  await cp(data, copy, { recursive: true, filter: (path) => !path.endsWith(sessionId) });
  let lines = "";
  for (let number = 1; number <= count; number++) {
    const id = idOf(number);
    const folder = join(copy, "sessions", id);
    await mkdir(folder, { mode: 0o700 });
    const writes = [...files].map(([name, text]) => writeFile(join(folder, name), text.replaceAll(sessionId, id)));
    await Promise.all(writes);
    lines += `${index.replaceAll(sessionId, id)}\n`;
  }
  await writeFile(join(copy, "sessions.jsonl"), lines);
  return copy;
}
