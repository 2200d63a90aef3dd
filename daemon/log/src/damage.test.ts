import { randomUUID } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isLong, tell } from "@muster/chaos";
import { afterEach, beforeEach, expect, test } from "vitest";
import { textForm } from "../test/text-lines.mjs";
import { openTextLog, says, type TextLine, type TextLog } from "../test/text-log.ts";
import type { Damage } from "./damage.ts";
import { examineLog } from "./repair/examine-log.ts";
import type { Durability } from "./write/durability.ts";
import { GroupSync } from "./write/group-sync.ts";
import { lastSeen } from "./write/log-head.ts";

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

const open = (where = directory, segmentBytes?: number, durability: Durability = "none") =>
  openTextLog({ directory: where, durability, groupSync, segmentBytes });

async function write(segmentBytes: number, batches: string[][]): Promise<TextLine[]> {
  const log = await open(kept, segmentBytes);
  for (const batch of batches) await log.say(batch.map(says)).written;
  const lines = await all(log);
  await log.close();
  return lines;
}

async function all(log: TextLog): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const line of log.lines(0)) lines.push(line);
  return lines;
}

/** A fresh copy of what was written. */
async function restore(): Promise<string[]> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory);
  const names = (await readdir(kept)).sort();
  for (const name of names) await copyFile(join(kept, name), join(directory, name));
  return names;
}

/** What is wrong with a log that was damaged: every line is there unchanged, or named as lost. */
function faults(original: TextLine[], lines: readonly TextLine[]): string[] {
  const found: string[] = [];
  let last = 0;
  for (const line of lines) {
    const isHole = line.type === "damage" && line.data.from === last + 1 && line.data.to === line.sequence;
    if (!isHole && line.sequence !== last + 1) found.push(`${line.sequence} after ${last}`);
    if (!isHole && JSON.stringify(line) !== JSON.stringify(original[line.sequence - 1]))
      found.push(`${line.sequence} changed`);
    last = line.sequence;
  }
  if (last < original.length) found.push(`ends at ${last}`);
  return found;
}

test("every byte of a log flipped once: nothing is lost silently or changed, and one batch is lost at most", async () => {
  const original = await write(300, [["one", "two"], ["three"], ["four 😀", "five", "six"], ["seven"]]);
  const names = await restore();
  expect(names.length).toBeGreaterThan(1);
  const wrong: string[] = [];
  let tried = 0;
  for (const name of names) {
    const whole = await readFile(join(kept, name));
    for (let at = 0; at < whole.length; at++) {
      await restore();
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(join(directory, name), bytes);
      const log = await open();
      const lines = await all(log);
      const lost = lines.flatMap((line) => (line.type === "damage" ? [line.data] : []));
      const found = faults(original, lines);
      if (lost.some(({ from, to }) => to - from >= 3) || lost.length > 1) found.push(`lost ${JSON.stringify(lost)}`);
      if (found.length > 0) wrong.push(`${name} byte ${at}: ${found.join(", ")}`);
      tried++;
      await log.close();
    }
  }
  tell({ fault: "a byte of a log flipped", tried, held: tried - wrong.length, note: `${names.length} files` });
  expect(wrong).toEqual([]);
}, 600_000);

test("a segment that is missing, cut or zeroed is told to every reader, and the log goes on", async () => {
  const original = await write(300, [["one", "two"], ["three", "four"], ["five", "six"], ["seven"]]);
  const names = (await restore()).filter((name) => name.startsWith("lines-"));
  expect(names.length).toBeGreaterThanOrEqual(3);
  for (const name of names) {
    const isLast = name === names.at(-1);
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
      const before = await examineLog(directory, textForm("s1"));
      const seen = Math.max(before.lastSequence, await lastSeen(directory));
      expect([isLast || before.faults.length > 0, seen]).toEqual([true, original.length]);
      const log = await open();
      expect(faults(original, await all(log))).toEqual([]);
      await log.say([says("next")]).written;
      expect((await all(log)).at(-1)?.sequence).toBe(original.length + 1);
      const page = await log.read(0, 100);
      expect(page.last).toBe(original.length + 1);
      const reader = log.reader(0);
      let text = "";
      while (reader.position <= original.length) text += String((await reader.next())?.bytes);
      reader.close();
      expect(text.match(/"damage"/g)?.length).toBe(1);
      // Where there are bytes that were not used, it says in which file.
      const [told] = (await all(log)).flatMap((line) => (line.type === "damage" ? [line.data] : []));
      if (told?.keptAs === undefined) expect(told?.bytes).toBe(0);
      else expect((await stat(join(directory, told.keptAs))).size).toBeGreaterThanOrEqual(told.bytes);
      if (!isLast && told?.keptAs !== undefined) expect(told.keptAs).toBe(name);
      await log.close();
    }
  }
}, 60_000);

/** `npm run chaos` tries every byte. */
const cutEvery = isLong ? 1 : 7;

test("a log cut at any byte of its end: no number that was seen is given out again, and what is gone is told", async () => {
  const original = await write(1_000_000, [["one"], ["two", "three"], ["four 😀"], ["five"]]);
  const [name = ""] = (await restore()).filter((file) => file.startsWith("lines-"));
  const whole = await readFile(join(kept, name));
  const wrong: string[] = [];
  let tried = 0;
  for (let size = 0; size < whole.length; size += cutEvery) {
    await restore();
    await truncate(join(directory, name), size);
    const log = await open();
    const { first, written } = log.say([says("next")]);
    await written;
    const found = faults(original, (await all(log)).slice(0, -1));
    if (first !== original.length + 1) found.push(`${first} is given out again`);
    // Once more: what opening did about it stands in the files.
    await log.close();
    const again = await open();
    if ((await all(again)).length < 2 || again.lastSequence !== first) found.push("another log when opened again");
    await again.close();
    if (found.length > 0) wrong.push(`cut to ${size}: ${found.join(", ")}`);
    tried++;
  }
  tell({ fault: "a log cut at a byte of its end", tried, held: tried - wrong.length });
  expect(wrong).toEqual([]);
}, 600_000);

test("after a power loss the log goes on behind the numbers that were reserved, and says so", async () => {
  const log = await open(kept, undefined, "batch");
  await log.say([says("one"), says("two")]).synced();
  // The machine stops here: nothing is closed, and the head is of another start of it.
  await restore();
  await log.close();
  await writeHead((await readHead()).replace(/ [0-9a-f-]{36} /, ` ${randomUUID()} `));
  const damages: Damage[] = [];
  const reportDamage = (damage: Damage) => damages.push(damage);
  const after = await openTextLog({ directory, durability: "batch", groupSync, reportDamage });
  expect(damages).toEqual([{ from: 3, to: after.lastSequence, bytes: 0 }]);
  const { first, written } = after.say([says("three")]);
  await written;
  expect(first).toBeGreaterThan(1_000);
  expect((await all(after)).map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, "text"],
    [2, "text"],
    [first - 1, "damage"],
    [first, "text"],
  ]);
  expect(damages).toEqual([{ from: 3, to: first - 1, bytes: 0 }]);
  await after.close();

  // A log that was closed has nothing in reserve.
  await writeHead((await readHead()).replace(/ [0-9a-f-]{36} /, ` ${randomUUID()} `));
  const last = await openTextLog({ directory, durability: "batch", groupSync, reportDamage });
  expect([damages.length, last.say([says("four")]).first]).toEqual([1, first + 1]);
  await last.close();
});

test("a head that is no use is not believed", async () => {
  await write(1_000_000, [["one"]]);
  await restore();
  await writeFile(join(directory, "head"), (await readHead()).replace("1 0", "1 7"));
  const log = await open();
  expect(log.lastSequence).toBe(1);
  await log.close();
});

const readHead = () => readFile(join(directory, "head"), "utf8");

/** With the checksum it would have. */
async function writeHead(text: string): Promise<void> {
  const line = text.slice(0, text.lastIndexOf(" "));
  await writeFile(join(directory, "head"), `${line} ${crc32(line).toString(16).padStart(8, "0")}\n`);
}

test("a log of format 1 is read, and goes on in a segment of its own", async () => {
  const line = (sequence: number) =>
    JSON.stringify({
      sequence,
      time: "2026-01-01T00:00:00.000Z",
      name: "s1",
      source: "agent",
      ...says("old"),
    });
  const lines = [JSON.stringify({ format: 1, name: "s1", first: 1 }), line(1), line(2), '{"sequence":3,"ti'];
  const path = join(directory, "lines-000000000001.jsonl");
  await writeFile(path, lines.join("\n"));
  const log = await open();
  await log.say([says("new")]).written;
  expect((await all(log)).map((line) => line.type === "text" && line.data.text)).toEqual(["old", "old", "new"]);
  await log.close();
  expect(await readFile(path, "utf8")).toBe(`${lines.slice(0, 3).join("\n")}\n`);
  const again = await open();
  expect(again.lastSequence).toBe(3);
  await again.close();
});
