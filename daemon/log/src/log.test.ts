import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Failure } from "@muster/schema/wire";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newLines } from "../test/text-lines.mjs";
import { ended, openTextLog, says, type TextLog, type TextLogOptions } from "../test/text-log.ts";
import { GroupSync } from "./write/group-sync.ts";

let directory: string;
let groupSync: GroupSync;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "log-"));
  groupSync = new GroupSync({ maxInFlight: 1 });
});
afterEach(async () => {
  await groupSync.close();
  await rm(directory, { recursive: true, force: true });
});

const open = (options: Partial<TextLogOptions> = {}) =>
  openTextLog({ directory, durability: "batch", groupSync, ...options });

async function sequencesOf(log: TextLog, after = 0): Promise<number[]> {
  const sequences: number[] = [];
  for await (const line of log.lines(after)) sequences.push(line.sequence);
  return sequences;
}

/** Holds the only place in the group, so that no sync gets through until it is let go. */
function holdSyncs(): () => void {
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void groupSync.join(() => held).now();
  return letGo;
}

const isSettled = async (promise: Promise<unknown>) => {
  let settled = false;
  promise.then(
    () => {
      settled = true;
    },
    () => {},
  );
  await setImmediate();
  return settled;
};

describe("append", () => {
  test("gives lines their numbers at once and their place in the file later", async () => {
    const log = await open({ now: () => Date.parse("2026-11-15T19:35:00.123Z") });
    const appended = log.say([says("hello"), ended]);
    expect(appended).toMatchObject({ first: 1, last: 2, time: "2026-11-15T19:35:00.123Z" });
    expect([log.lastSequence, log.publishedSequence]).toEqual([2, 0]);
    expect(log.backlogBytes).toBeGreaterThan(0);
    await appended.written;
    expect([log.lastSequence, log.publishedSequence, log.backlogBytes]).toEqual([2, 2, 0]);
    const envelope = { time: appended.time, name: "s1" };
    expect((await log.read(0, 10)).lines.map((line) => JSON.parse(line.toString()))).toEqual([
      { sequence: 1, ...envelope, ...says("hello") },
      { sequence: 2, ...envelope, ...ended },
    ]);
    await log.close();
  });

  test("of lines that do not follow the last one is refused, and leaves no hole", async () => {
    const log = await open();
    const stray = newLines({ name: "s1", first: 2, time: new Date().toISOString() }, [says("a")]);
    expect(() => log.append(stray)).toThrow("The next line is 1, not 2");
    expect(log.say([says("b")])).toMatchObject({ first: 1, last: 1 });
    await log.close();
  });

  test("of nothing gives no number and waits for what is under way", async () => {
    const log = await open();
    await log.say([]).written;
    log.say([says("a")]);
    const nothing = log.say([]);
    expect(nothing).toMatchObject({ first: 2, last: 1 });
    await nothing.synced();
    expect(log.publishedSequence).toBe(1);
    await log.close();
  });

  test("goes on where the log ended, over many segments, in files only the user can read", async () => {
    for (let life = 0; life < 3; life++) {
      const log = await open({ segmentBytes: 2_000 });
      expect(log.lastSequence).toBe(life * 40);
      for (let n = 0; n < 40; n++) await log.say([says(`life ${life}, ${n}`)]).written;
      expect(await sequencesOf(log)).toEqual(Array.from({ length: (life + 1) * 40 }, (_, n) => n + 1));
      await log.close();
    }
    const names = await readdir(directory);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    for (const name of names.filter((one) => one.startsWith("lines-"))) {
      const [header, first] = (await readFile(join(directory, name), "utf8")).split("\n");
      const expected = Number(/\d+/.exec(name)?.[0]);
      expect(JSON.parse(header ?? "")).toMatchObject({ format: 2, name: "s1", first: expected, epoch: 0 });
      expect(JSON.parse(first ?? "").sequence).toBe(expected);
    }
  });

  test("is refused when the log is closed", async () => {
    const log = await open();
    await log.close();
    expect(() => log.say([ended])).toThrow(Failure);
  });
});

describe("durability", () => {
  test("batch publishes after the write and keeps `synced` waiting for the sync", async () => {
    const log = await open();
    const letGo = holdSyncs();
    const appended = log.say([ended]);
    await appended.written;
    expect(log.publishedSequence).toBe(1);
    const synced = appended.synced();
    expect(await isSettled(synced)).toBe(false);
    letGo();
    await synced;
    await log.close();
  });

  test("sync publishes nothing before the sync", async () => {
    const log = await open({ durability: "sync" });
    const letGo = holdSyncs();
    const reader = log.reader(0);
    const next = reader.next();
    const appended = log.say([ended]);
    const file = join(directory, "lines-000000000001.jsonl");
    while (!(await readFile(file, "utf8").catch(() => "")).includes("end")) await setImmediate();
    expect([await isSettled(appended.written), await isSettled(next), log.publishedSequence]).toEqual([
      false,
      false,
      0,
    ]);
    expect((await log.read(0, 10)).lines).toEqual([]);
    letGo();
    await Promise.all([appended.written, appended.synced(), next]);
    expect(log.publishedSequence).toBe(1);
    await log.close();
  });

  test("none waits for no sync at all", async () => {
    const log = await open({ durability: "none", segmentBytes: 1 });
    const letGo = holdSyncs();
    for (let n = 0; n < 3; n++) await log.say([ended]).synced();
    await log.close();
    letGo();
  });

  test("a line that a later sync has covered is synced without another", async () => {
    const log = await open();
    const first = log.say([ended]);
    await log.say([ended]).synced();
    const letGo = holdSyncs();
    await first.synced();
    letGo();
    await log.close();
  });
});

describe("read", () => {
  test("gives pages whose ends meet", async () => {
    const log = await open({ segmentBytes: 5_000 });
    await log.say(Array.from({ length: 250 }, (_, n) => (n % 10 === 0 ? ended : says(`${n}`)))).written;
    const sequences: (number | undefined)[] = [];
    let page = await log.read(0, 100);
    for (; ; page = await log.read(page.last, 100)) {
      sequences.push(...page.lines.map((line) => JSON.parse(line.toString()).sequence));
      if (!page.hasMore) break;
    }
    expect(sequences).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(await log.read(250, 10)).toEqual({ lines: [], last: 250, hasMore: false });
    await log.close();
  });

  test("leaves out what may be skipped where it is not wanted, and its page still reaches as far", async () => {
    const log = await open();
    await log.say(Array.from({ length: 25 }, (_, n) => (n % 10 === 0 ? ended : says('"type":"end"')))).written;
    const page = await log.read(0, 2, { skips: true });
    expect(page.lines.map((line) => JSON.parse(line.toString()).sequence)).toEqual([1, 11]);
    expect([page.last, page.hasMore]).toEqual([20, true]);
    const rest = await log.read(page.last, 2, { skips: true });
    expect([rest.lines.map((line) => JSON.parse(line.toString()).sequence), rest.last, rest.hasMore]).toEqual([
      [21],
      25,
      false,
    ]);
    await log.close();
  });

  test("ends a page early where lines are large", async () => {
    const log = await open();
    for (let n = 0; n < 12; n++) log.say([says("x".repeat(1_000_000))]);
    await log.say([ended]).written;
    const page = await log.read(0, 100);
    expect([page.lines.length, page.last, page.hasMore]).toEqual([8, 8, true]);
    await log.close();
  });

  test("finds any place in a large segment of a log that was just opened", async () => {
    const before = await open();
    for (let n = 0; n < 3_000; n++) before.say([says(`${n} `.repeat(n % 300))]);
    await before.close();
    const log = await open();
    for (const after of [2_999, 0, 1, 1_234, 2_500, 700, 2_998]) {
      const { lines } = await log.read(after, 1);
      expect(lines.map((line) => JSON.parse(line.toString()).sequence)).toEqual([after + 1]);
    }
    await log.close();
  });

  test("finds any place in an older segment, of which nothing is known", async () => {
    const before = await open();
    for (let n = 0; n < 3_000; n++) before.say([says(`${n} `.repeat(n === 1_500 ? 150_000 : n % 300))]);
    await before.close();
    const newer = await open({ segmentBytes: 1 });
    await newer.say([ended]).written;
    await newer.close();
    for (const after of [2_999, 0, 1, 1_234, 1_499, 1_500, 1_501, 2_500, 700, 2_998, 3_000]) {
      const log = await open();
      const { lines } = await log.read(after, 1);
      expect(lines.map((line) => JSON.parse(line.toString()).sequence)).toEqual([after + 1]);
      await log.close();
    }
  });

  test("and readers refuse a cursor beyond the end, and one that is no sequence", async () => {
    const log = await open();
    await log.say([ended]).written;
    expect(() => log.reader(2)).toThrow(
      expect.objectContaining({ code: "cursor_ahead", fields: { name: "s1", lastSequence: 1 } }),
    );
    await expect(log.read(2, 10)).rejects.toMatchObject({ code: "cursor_ahead" });
    expect(() => log.lines(2)).toThrow(Failure);
    expect(() => log.reader(-1)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    expect(() => log.reader(0.5)).toThrow(expect.objectContaining({ code: "invalid_request" }));
    await log.close();
  });
});

test("everybody who wants a batch on the disk shares one sync", async () => {
  const group = new GroupSync();
  const join = group.join.bind(group);
  let syncs = 0;
  group.join = (sync) =>
    join(() => {
      syncs++;
      return sync();
    });
  const log = await open({ durability: "batch", groupSync: group });
  const appended = [log.say([says("one")]), log.say([says("two")]), log.say([])];
  await Promise.all(appended.map((one) => one.synced()));
  expect(syncs).toBe(1);
  await log.say([]).synced();
  expect(syncs).toBe(1);
  await log.close();
  await group.close();
});

describe("the end of a log", () => {
  test("close writes everything, and readers get it before their end", async () => {
    const log = await open();
    const reader = log.reader(0);
    for (let n = 0; n < 1_000; n++) log.say([says(`${n}`)]);
    await log.close();
    let text = "";
    for (let frames = await reader.next(); frames !== null; frames = await reader.next())
      text += frames.bytes.toString();
    expect(text.match(/^id: /gm)).toHaveLength(1_000);
    reader.close();
    const again = await open();
    expect(again.lastSequence).toBe(1_000);
    await again.close();
  });

  test("close ends readers that wait", async () => {
    const log = await open();
    const next = log.reader(0).next();
    await log.close();
    expect(await next).toBeNull();
  });

  test("destroy removes the files and ends every reader at once", async () => {
    const log = await open({ segmentBytes: 1_000 });
    for (let n = 0; n < 100; n++) await log.say([says(`${n}`)]).written;
    const behind = log.reader(0);
    const waiting = log.reader(100).next();
    await log.destroy();
    expect([await behind.next(), await waiting]).toEqual([null, null]);
    await expect(readdir(directory)).rejects.toThrow("ENOENT");
  });
});
