/** The event log by itself: appends, replay, and the cost of a delivery. Loads the build; run `npm run build` first. */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { GroupSync } from "../../log/dist/index.js";
import { eventFraming } from "../../server/dist/frames/event-frames.js";
import { EventLog, LinePage } from "../dist/event-log/index.js";

const draft = {
  source: "agent",
  turnId: "turn_1",
  body: { type: "item.delta", data: { itemId: "item_12", index: 0, part: "text", delta: "a few words of text " } },
};

/** Calls `report({ name, value, unit, budget, ok })` once per line. */
export async function run(report) {
  const atLeast = (name, value, unit, least) => {
    report({ name: `event log: ${name}`, value, unit, budget: `≥ ${least}`, ok: value >= least });
  };
  const atMost = (name, value, unit, most) => {
    report({ name: `event log: ${name}`, value, unit, budget: `≤ ${most}`, ok: value <= most });
  };
  atLeast("appends, written and published", await withLog((log) => appendRate(log, 400_000)), "events/s", 400_000);
  await reportSeals(report);
  atMost("replay of 100,000 events", await withLog((log) => replayTime(log, 100_000)), "ms", 80);
  for (const [readers, events, most] of [
    // One reader alone pays for making the frames that many share.
    [1, 200_000, 3],
    [10, 100_000, 1],
    [100, 50_000, 1],
  ]) {
    const value = await withLog((log) => deliveryCost(log, { readers, events, burst: 100 }));
    atMost(`CPU per delivery, ${readers} readers`, value, "µs", most);
  }
  const single = await withLog((log) => deliveryCost(log, { readers: 100, events: 5_000, burst: 1 }));
  atMost("CPU per delivery, 100 readers, every event in a write of its own", single, "µs", 2);
  atMost("memory per idle reader", await withLog((log) => idleReaderBytes(log, 2_000)), "bytes", 1_000);
  atMost("sync of 100 sessions at once, p50", await manySyncs(100), "ms", 50);
}

/** Format 2 beside format 1, which is the lines alone: both from the same drafts to a file, one after the other. */
async function reportSeals(report) {
  const { EventLines } = await import("../dist/event-log/events/event-line.js");
  const { sealLines } = await import("../../log/dist/lines/seal.js");
  const made = new EventLines("bench");
  const rates = { sealed: [], plain: [] };
  const forms = {
    sealed: (lines) => sealLines([lines]),
    plain: (lines) => lines.bytes,
  };
  for (let round = 0; round < 9; round++) {
    for (const [name, bytesOf] of Object.entries(forms)) rates[name].push(await bulkCpu(made, bytesOf));
  }
  const ratio = median(rates.plain) / median(rates.sealed);
  report({
    name: "event log: bulk appends of format 2",
    value: 1_000_000 / median(rates.sealed),
    unit: "events per second of CPU",
    baseline: 1_000_000 / median(rates.plain),
    baselineIs: "format 1: the same lines joined, encoded and written without seals",
    ratio,
    budget: "≥ 0.95 × format 1",
    ok: ratio >= 0.95,
  });
}

/** Microseconds of CPU per event. */
async function bulkCpu(made, bytesOf) {
  const drafts = Array.from({ length: 1_000 }, () => draft);
  const file = join(await mkdtemp(join(tmpdir(), "event-log-bench-")), "log");
  const handle = await open(file, "w");
  const events = 50_000;
  const page = new LinePage();
  const micros = await cpuOf(async () => {
    for (let first = 1; first < events; first += 1_000) {
      await handle.write(bytesOf(made.encode(page, first, "2026-01-01T00:00:00.000Z", drafts)));
    }
  });
  await handle.close();
  await rm(dirname(file), { recursive: true });
  return micros / events;
}

async function appendRate(log, events) {
  const started = performance.now();
  await appendAll(log, events, 5_000);
  return events / ((performance.now() - started) / 1_000);
}

/** The median of some: a daemon is warm when readers come back. */
async function replayTime(log, events) {
  await appendAll(log, events, 5_000);
  const times = [];
  for (let n = 0; n < 7; n++) {
    const started = performance.now();
    await readTo(log.reader(0), events);
    times.push(performance.now() - started);
  }
  return median(times);
}

/** What readers add to the CPU of the same appends without any. */
async function deliveryCost(log, { readers, events, burst }) {
  await appendAll(log, events, burst);
  const alone = await cpuOf(() => appendAll(log, events, burst));
  const all = Array.from({ length: readers }, () => log.reader(log.lastSequence));
  const last = log.lastSequence + events;
  const read = await cpuOf(() =>
    Promise.all([appendAll(log, events, burst), ...all.map((reader) => readTo(reader, last))]),
  );
  return (read - alone) / (readers * events);
}

async function idleReaderBytes(log, readers) {
  await appendAll(log, 1_000, 100);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const all = Array.from({ length: readers }, () => log.reader(log.lastSequence));
  const waits = all.map((reader) => reader.next());
  globalThis.gc?.();
  const after = process.memoryUsage();
  for (const reader of all) reader.close();
  await Promise.all(waits);
  return (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / readers;
}

/** Every session appends one event and wants it on the disk, as at the beginning of a turn. */
async function manySyncs(sessions) {
  const groupSync = new GroupSync();
  const directory = await mkdtemp(join(tmpdir(), "event-log-bench-"));
  const logs = await Promise.all(
    Array.from({ length: sessions }, (_, n) =>
      EventLog.open({ directory: join(directory, `${n}`), sessionId: `s${n}`, durability: "batch", groupSync }),
    ),
  );
  const times = [];
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      logs.map(async (log) => {
        const started = performance.now();
        await log.append([draft]).synced();
        times.push(performance.now() - started);
      }),
    );
  }
  for (const log of logs) await log.close();
  await groupSync.close();
  await rm(directory, { recursive: true });
  return median(times);
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** As an engine does it: an append per event; after a burst it waits, as for the agent's next bytes. */
async function appendAll(log, events, burst) {
  for (let done = 1; done <= events; done++) {
    const appended = log.append([draft]);
    if (done === events || done % burst === 0) await appended.written;
  }
}

async function readTo(reader, last) {
  while (reader.position < last) await reader.next();
  reader.close();
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function withLog(work) {
  const directory = await mkdtemp(join(tmpdir(), "event-log-bench-"));
  const groupSync = new GroupSync();
  const log = await EventLog.open({
    directory,
    sessionId: "bench",
    durability: "batch",
    groupSync,
    framing: eventFraming,
  });
  try {
    return await work(log);
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
