import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ended, openTextLog, says, type TextLogOptions } from "../../test/text-log.ts";
import { GroupSync } from "../write/group-sync.ts";
import type { Frames } from "./frames.ts";
import type { LogReader } from "./log-reader.ts";

let directory: string;
const groupSync = new GroupSync();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "log-reader-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (options: Partial<TextLogOptions> = {}) =>
  openTextLog({ directory, durability: "none", groupSync, ...options });

/** Checks that a chunk is whole frames whose id is their line's sequence, each where the chunk says. */
function sequencesIn(frames: Frames | null): number[] {
  if (frames === null) return [];
  const { first, ends, bytes } = frames;
  expect(ends.at(-1)).toBe(bytes.length);
  return ends.flatMap((end, index) => {
    const frame = bytes.toString("utf8", ends[index - 1] ?? 0, end);
    if (frame === "") return [];
    const [, id, json] = /^id: (\d+)\ndata: (.*)\n\n$/.exec(frame) ?? [];
    expect([Number(id), JSON.parse(json ?? "").sequence]).toEqual([first + index, first + index]);
    return [Number(id)];
  });
}

async function readTo(reader: LogReader, last: number): Promise<number[]> {
  const sequences: number[] = [];
  while (reader.position < last) {
    const frames = await reader.next();
    if (frames === null) break;
    sequences.push(...sequencesIn(frames));
  }
  return sequences;
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, n) => from + n);

test("past and future are one: every reader gets every line once, wherever it begins and however it dawdles", async () => {
  const log = await open({ segmentBytes: 200_000, tailBytes: 64 * 1024 });
  const total = 20_000;
  const writing = (async () => {
    for (let n = 0; n < total; ) {
      const some = Math.min(total - n, 1 + (n % 37));
      const appended = log.say(Array.from({ length: some }, () => says(`${n} äöü 😀 `.repeat(n % 5))));
      n += some;
      if (n % 5 === 0) await appended.written;
    }
  })();
  const prompt = readTo(log.reader(0), total);
  const dawdling = (async () => {
    const reader = log.reader(0);
    const sequences: number[] = [];
    while (reader.position < total) {
      const frames = await reader.next();
      if (frames !== null) sequences.push(...sequencesIn(frames));
      for (let pause = 0; pause < 5; pause++) await setImmediate();
    }
    return sequences;
  })();
  const reconnecting = (async () => {
    const sequences: number[] = [];
    while (sequences.length < total) {
      const reader = log.reader(sequences.at(-1) ?? 0);
      const frames = await reader.next();
      if (frames !== null) sequences.push(...sequencesIn(frames));
      reader.close();
    }
    return sequences;
  })();
  await writing;
  for (const sequences of await Promise.all([prompt, dawdling, reconnecting, readTo(log.reader(0), total)])) {
    expect(sequences).toEqual(upTo(total));
  }
  await log.close();
});

test("any sizes of lines, batches, segments and memory give whole frames in order", async () => {
  const sizes = fc.array(fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 15,
  });
  const bounds = fc.record({
    segmentBytes: fc.integer({ min: 1, max: 200_000 }),
    tailBytes: fc.integer({ min: 0, max: 200_000 }),
  });
  await fc.assert(
    fc.asyncProperty(sizes, bounds, fc.nat(10), async (batches, options, after) => {
      const log = await open(options);
      const last = batches.flat().length;
      const live = readTo(log.reader(0), last);
      const [early] = batches;
      if (early !== undefined) await log.say(early.map((size) => says("é".repeat(size)))).written;
      for (const batch of batches.slice(1)) log.say(batch.map((size) => says("x".repeat(size))));
      expect(await live).toEqual(upTo(last));
      const start = Math.min(after, last);
      expect(await readTo(log.reader(start), last)).toEqual(upTo(last, start + 1));
      await log.destroy();
    }),
    { numRuns: 40 },
  );
});

test("a chunk is about 64 KiB at most, unless one frame is larger", async () => {
  const log = await open();
  const live = log.reader(0);
  for (let n = 0; n < 5_000; n++) log.say([says("é".repeat((n % 20) * 10))]);
  await log.say([says("x".repeat(300_000))]).written;
  for (const reader of [live, log.reader(0)]) {
    while (reader.position < 5_001) {
      const frames = await reader.next();
      const isOneFrame = sequencesIn(frames).length === 1;
      expect((frames?.bytes.length ?? 0) <= 72 * 1024 || isOneFrame).toBe(true);
    }
  }
  await log.close();
});

test("a reader that skips gets all other lines, live and from the files, and its position moves on", async () => {
  const log = await open();
  const live = log.reader(0, { skips: true });
  const wanted = upTo(3_000).filter((n) => n % 100 === 0);
  const reading = readTo(live, 3_000);
  for (let n = 1; n <= 3_000; n++) {
    const appended = log.say([n % 100 === 0 ? ended : says('"type":"end"')]);
    if (n % 250 === 0) await appended.written;
  }
  expect(await reading).toEqual(wanted);
  live.close();
  const later = log.reader(0, { skips: true });
  expect(await readTo(later, 3_000)).toEqual(wanted);
  expect(later.position).toBe(3_000);
  await log.close();
});

test("lines that were written while nobody read are not missing in memory later", async () => {
  const log = await open();
  const first = log.reader(0);
  log.say([ended]);
  await first.next();
  first.close();
  await log.say([ended, ended]).written;
  const second = log.reader(1);
  await log.say([ended]).written;
  expect(await readTo(second, 4)).toEqual([2, 3, 4]);
  const third = log.reader(0);
  expect(await readTo(third, 4)).toEqual([1, 2, 3, 4]);
  await log.close();
});

test("readers of the same lines share the same memory", async () => {
  const log = await open();
  const readers = [log.reader(0), log.reader(0)];
  const chunks = Promise.all(readers.map((reader) => reader.next()));
  log.say([ended]);
  const [one, other] = await chunks;
  expect(one).not.toBeNull();
  expect(one?.bytes).toBe(other?.bytes);
  await log.close();
});

test("readers at the same place behind what is in memory get the same memory, whether they skip or not", async () => {
  const log = await open({ segmentBytes: 400_000, tailBytes: 0 });
  const total = 6_001;
  for (let n = 0; n < total; n++) log.say([n % 50 === 0 ? ended : says(`${n} `.repeat(20))]);
  await log.say([]).written;
  for (const skips of [false, true]) {
    const readers = Array.from({ length: 5 }, () => log.reader(0, { skips }));
    const sequences: number[] = [];
    while (readers.some(({ position }) => position < total)) {
      const [frames = null, ...others] = await Promise.all(readers.map((reader) => reader.next()));
      for (const other of others) expect(other?.bytes).toBe(frames?.bytes);
      sequences.push(...sequencesIn(frames));
    }
    expect(sequences).toEqual(upTo(total).filter((n) => !skips || (n - 1) % 50 === 0));
    for (const reader of readers) reader.close();
  }
  await log.close();
});

test("readers that share, dawdle, come from elsewhere and leave get every line once", async () => {
  const log = await open({ segmentBytes: 400_000, tailBytes: 0 });
  const total = 12_000;
  for (let n = 0; n < total; n++) log.say([says(`${n} `.repeat(20))]);
  await log.say([]).written;
  const reading = [0, 0, 0, 17, 5_000, 5_000].map(async (after, pauses) => {
    const reader = log.reader(after);
    const sequences: number[] = [];
    while (reader.position < total && !(pauses === 1 && sequences.length > 3_000)) {
      sequences.push(...sequencesIn(await reader.next()));
      for (let pause = 0; pause < pauses * 3; pause++) await setImmediate();
    }
    reader.close();
    expect(sequences).toEqual(upTo(reader.position, after + 1));
    return reader.position;
  });
  expect((await Promise.all(reading)).filter((position) => position === total)).toHaveLength(5);
  await log.close();
});

test("a reader that meets a file it cannot read is told, and so is the next one that comes there", async () => {
  const log = await open({ segmentBytes: 20_000, tailBytes: 0 });
  for (let n = 0; n < 300; n++) await log.say([says(`${n} `.repeat(50))]).written;
  const names = (await readdir(directory)).filter((name) => name.startsWith("lines-")).sort();
  await rm(join(directory, names[0] ?? ""));
  for (let attempt = 0; attempt < 2; attempt++) {
    const readers = [log.reader(0), log.reader(0)];
    const told = await Promise.allSettled(readers.map((reader) => reader.next()));
    expect(told.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const reader of readers) reader.close();
  }
  expect((await readTo(log.reader(290), 300)).at(-1)).toBe(300);
  await log.close();
});

test("a reader may begin after a line that is numbered but not yet written", async () => {
  const log = await open();
  const { last } = log.say([ended, ended]);
  const reader = log.reader(last);
  const next = reader.next();
  log.say([ended]);
  expect(sequencesIn(await next)).toEqual([3]);
  await log.close();
});

test("closing a reader ends its wait, also while it reads the files, and frees the others from nothing", async () => {
  const log = await open({ segmentBytes: 10_000 });
  for (let n = 0; n < 500; n++) await log.say([says(`${n}`)]).written;
  const waiting = log.reader(500);
  const reading = log.reader(0);
  const other = log.reader(500);
  const ends = [waiting.next(), reading.next()];
  const stays = other.next();
  waiting.close();
  reading.close();
  expect(await Promise.all(ends)).toEqual([null, null]);
  expect([await waiting.next(), await reading.next()]).toEqual([null, null]);
  log.say([ended]);
  expect(sequencesIn(await stays)).toEqual([501]);
  await log.close();
});

test.runIf(process.platform === "linux")("readers that leave or catch up keep no file open", async () => {
  const log = await open({ segmentBytes: 10_000 });
  for (let n = 0; n < 500; n++) await log.say([says(`${n}`.repeat(100))]).written;
  const readers = Array.from({ length: 20 }, () => log.reader(0));
  const chunks = await Promise.all(readers.map((reader) => reader.next()));
  expect(chunks).not.toContain(null);
  expect((await openFiles()).length).toBeGreaterThan(1);
  const reading = readers.map((reader) => reader.next());
  for (const reader of readers) reader.close();
  expect(new Set(await Promise.all(reading))).toEqual(new Set([null]));
  const last = log.reader(0);
  await readTo(last, 500);
  // The writer's own file stays; the test would time out if another did.
  while ((await openFiles()).length > 1) await setImmediate();
  await log.close();
});

async function openFiles(): Promise<string[]> {
  const names = await readdir("/proc/self/fd");
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")));
  // The head is the writer's.
  return targets.filter((target) => target.startsWith(directory) && !target.endsWith("/head"));
}

test("two waits at once are refused", async () => {
  const log = await open();
  const reader = log.reader(0);
  const first = reader.next();
  await expect(reader.next()).rejects.toThrow("already waiting");
  reader.close();
  expect(await first).toBeNull();
  await log.close();
});
