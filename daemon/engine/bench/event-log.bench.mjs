/** The event log by itself: appends, replay, and the cost of a delivery. Loads the build; run `npm run build` first. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EventLog, GroupSync } from "../dist/event-log/index.js";

const draft = {
  source: "agent",
  turnId: "turn_1",
  body: { type: "item.delta", data: { itemId: "item_12", index: 0, part: "text", delta: "a few words of text " } },
};

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  await withLog("batch", (log) => appends(report, log, 400_000));
  await withLog("batch", (log) => replay(report, log, 100_000));
  for (const readers of [1, 10, 100]) {
    await withLog("batch", (log) => deliveries(report, log, { readers, events: readers === 100 ? 20_000 : 100_000 }));
  }
  await withLog("batch", (log) => idleReaders(report, log, 2_000));
}

async function appends(report, log, events) {
  const started = performance.now();
  await appendPaced(log, events);
  const perSecond = events / ((performance.now() - started) / 1_000);
  const ok = perSecond >= 400_000;
  report({
    name: "event log: appends, written and published",
    value: perSecond,
    unit: "events/s",
    budget: "≥ 400,000",
    ok,
  });
}

async function replay(report, log, events) {
  await appendPaced(log, events);
  const started = performance.now();
  await readTo(log.reader(0), events);
  const elapsed = performance.now() - started;
  report({
    name: `event log: replay of ${events} events`,
    value: elapsed,
    unit: "ms",
    budget: "≤ 80",
    ok: elapsed <= 80,
  });
}

/** What readers add to the CPU of the same appends without any. */
async function deliveries(report, log, { readers, events }) {
  await appendPaced(log, events);
  const alone = await cpuOf(() => appendPaced(log, events));
  const all = Array.from({ length: readers }, () => log.reader(log.lastSequence));
  const target = log.lastSequence + events;
  const read = await cpuOf(() =>
    Promise.all([appendPaced(log, events), ...all.map((reader) => readTo(reader, target))]),
  );
  const value = (read - alone) / (readers * events);
  const name = `event log: CPU per delivery, ${readers} readers`;
  // One reader pays for making the frames; the budget is that of many who share them.
  const budget = readers === 1 ? 3 : 1;
  report({ name, value, unit: "µs", budget: `≤ ${budget}`, ok: value <= budget });
}

async function idleReaders(report, log, readers) {
  await appendPaced(log, 1_000);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const all = Array.from({ length: readers }, () => log.reader(log.lastSequence));
  const waits = all.map((reader) => reader.next());
  globalThis.gc?.();
  const after = process.memoryUsage();
  const value = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / readers;
  for (const reader of all) reader.close();
  await Promise.all(waits);
  report({ name: `event log: memory per idle reader`, value, unit: "bytes", budget: "≤ 1,000", ok: value <= 1_000 });
}

/** As an engine does it: small appends, waiting when the disk is behind. */
async function appendPaced(log, events) {
  for (let done = 0; done < events; ) {
    const appended = log.append([draft]);
    done++;
    if (done === events || log.backlogBytes > 1024 * 1024) await appended.written;
  }
}

async function readTo(reader, last) {
  while (reader.position < last) reader.take() ?? (await reader.next());
  reader.close();
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function withLog(durability, work) {
  const directory = await mkdtemp(join(tmpdir(), "event-log-bench-"));
  const groupSync = new GroupSync();
  const log = await EventLog.open({ directory, sessionId: "bench", durability, groupSync });
  try {
    await work(log);
  } finally {
    await log.close();
    await groupSync.close();
    await rm(directory, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await run(({ name, value, unit, budget, ok }) => {
    process.stdout.write(`${ok ? "ok  " : "MISS"} ${name}: ${value.toFixed(2)} ${unit} (budget ${budget})\n`);
  });
}
