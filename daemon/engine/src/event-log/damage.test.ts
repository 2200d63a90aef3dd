import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UniversalEvent } from "@muster/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventLog } from "./event-log.ts";
import { GroupSync } from "./group-sync.ts";

let kept: string;
let directory: string;
const groupSync = new GroupSync();
beforeEach(async () => {
  kept = await mkdtemp(join(tmpdir(), "damage-kept-"));
  directory = await mkdtemp(join(tmpdir(), "damage-"));
});
afterEach(async () => {
  for (const path of [kept, directory]) await rm(path, { recursive: true, force: true });
});

const open = (where = directory, segmentBytes?: number, lastKnown?: number) =>
  EventLog.open({ directory: where, sessionId: "s1", durability: "none", groupSync, segmentBytes, lastKnown });
const says = (delta: string) =>
  ({
    source: "agent",
    body: { type: "item.delta", data: { itemId: "item_1", index: 0, part: "text", delta } },
  }) as const;

async function write(segmentBytes: number, batches: string[][]): Promise<UniversalEvent[]> {
  const log = await open(kept, segmentBytes);
  for (const batch of batches) await log.append(batch.map(says)).written;
  const events = await all(log);
  await log.close();
  return events;
}

async function all(log: EventLog): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for await (const event of log.events(0)) events.push(event);
  return events;
}

/** A fresh copy of what was written. */
async function restore(): Promise<string[]> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  const names = (await readdir(kept)).sort();
  for (const name of names) await copyFile(join(kept, name), join(directory, name));
  return names;
}

/** What is wrong with a log that was damaged: every event is there unchanged, or named as lost. */
async function faults(original: UniversalEvent[], log: EventLog): Promise<string[]> {
  const found: string[] = [];
  let last = 0;
  for (const event of await all(log)) {
    const isHole = event.type === "log.damaged" && event.data.from === last + 1 && event.data.to === event.sequence;
    if (!isHole && event.sequence !== last + 1) found.push(`${event.sequence} after ${last}`);
    if (!isHole && JSON.stringify(event) !== JSON.stringify(original[event.sequence - 1]))
      found.push(`${event.sequence} changed`);
    last = event.sequence;
  }
  if (last < original.length) found.push(`ends at ${last}`);
  return found;
}

test("every byte of a log flipped once: nothing is lost silently or changed, and one batch is lost at most", async () => {
  const original = await write(500, [["one", "two"], ["three"], ["four 😀", "five", "six"], ["seven"]]);
  const names = await restore();
  expect(names.length).toBeGreaterThan(1);
  const wrong: string[] = [];
  for (const name of names) {
    const whole = await readFile(join(kept, name));
    for (let at = 0; at < whole.length; at++) {
      await restore();
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(join(directory, name), bytes);
      const log = await open();
      const lost = (await all(log)).flatMap((event) => (event.type === "log.damaged" ? [event.data] : []));
      const found = await faults(original, log);
      if (lost.some(({ from, to }) => to - from >= 3) || lost.length > 1) found.push(`lost ${JSON.stringify(lost)}`);
      if (found.length > 0) wrong.push(`${name} byte ${at}: ${found.join(", ")}`);
      await log.close();
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test("a segment that is missing, cut or zeroed is told to every reader, and the log goes on", async () => {
  const original = await write(300, [["one", "two"], ["three", "four"], ["five", "six"], ["seven"]]);
  const names = await restore();
  expect(names.length).toBeGreaterThanOrEqual(3);
  for (const name of names.slice(0, -1)) {
    const whole = await readFile(join(kept, name));
    const zeroed = Buffer.from(whole).fill(0, Math.floor(whole.length / 3), Math.floor((2 * whole.length) / 3));
    for (const harm of [
      () => rm(join(directory, name)),
      () => writeFile(join(directory, name), whole.subarray(0, Math.floor(whole.length / 2))),
      () => writeFile(join(directory, name), ""),
      () => writeFile(join(directory, name), zeroed),
    ]) {
      await restore();
      await harm();
      const log = await open();
      expect(await faults(original, log)).toEqual([]);
      await log.append([says("next")]).written;
      expect((await all(log)).at(-1)?.sequence).toBe(original.length + 1);
      const page = await log.read(0, 100);
      expect(page.last).toBe(original.length + 1);
      const reader = log.reader(0);
      let text = "";
      while (reader.position <= original.length) text += String(await reader.next());
      reader.close();
      expect(text.match(/"log.damaged"/g)?.length).toBe(1);
      await log.close();
    }
  }
}, 60_000);

test("a number that was given out is not given out again when the end of the log is gone", async () => {
  const original = await write(1, [["one"], ["two"], ["three"]]);
  const names = await restore();
  await rm(join(directory, names.at(-1) ?? ""));
  const log = await open(directory, undefined, original.length);
  expect(log.damages).toEqual([{ from: 3, to: 3, bytes: 0 }]);
  await log.append([says("four")]).written;
  expect((await all(log)).map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, "item.delta"],
    [2, "item.delta"],
    [3, "log.damaged"],
    [4, "item.delta"],
  ]);
  await log.close();
});

test("a log of format 1 is read, and goes on in a segment of its own", async () => {
  const line = (sequence: number) =>
    JSON.stringify({
      sequence,
      time: "2026-01-01T00:00:00.000Z",
      sessionId: "s1",
      source: "agent",
      ...says("old").body,
    });
  const lines = [JSON.stringify({ format: 1, sessionId: "s1", first: 1 }), line(1), line(2), '{"sequence":3,"ti'];
  const path = join(directory, "events-000000000001.jsonl");
  await writeFile(path, lines.join("\n"));
  const log = await open();
  await log.append([says("new")]).written;
  expect((await all(log)).map((event) => event.type === "item.delta" && event.data.delta)).toEqual([
    "old",
    "old",
    "new",
  ]);
  await log.close();
  expect(await readFile(path, "utf8")).toBe(`${lines.slice(0, 3).join("\n")}\n`);
  const again = await open();
  expect(again.lastSequence).toBe(3);
  await again.close();
});
