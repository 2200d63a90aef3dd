import { copyFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTextLog, says, type TextLog } from "../../test/text-log.ts";
import { GroupSync } from "../write/group-sync.ts";

let directory: string;
const groupSync = new GroupSync();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "recover-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (segmentBytes = 1_000_000) => openTextLog({ directory, durability: "none", groupSync, segmentBytes });

async function write(texts: string[], segmentBytes?: number): Promise<void> {
  const log = await open(segmentBytes);
  for (const text of texts) await log.say([says(text)]).written;
  await log.close();
}

async function textsOf(log: TextLog): Promise<[number, string][]> {
  const found: [number, string][] = [];
  for await (const line of log.lines(0)) {
    if (line.type === "text") found.push([line.sequence, line.data.text]);
  }
  return found;
}

const segmentNames = async () => (await readdir(directory)).filter((name) => name.endsWith(".jsonl")).sort();
const numbered = (texts: string[]) => texts.map((text, index): [number, string] => [index + 1, text]);

test("a log cut at any byte of its last segment has its longest valid beginning, and goes on without hole or reuse", async () => {
  const texts = ["one", "two 😀", "three\n", "four", "fünf", "six"];
  await write(texts.slice(0, 3), 1);
  await write(texts.slice(3));
  const names = await segmentNames();
  const last = names.at(-1) ?? "";
  const whole = await readFile(join(directory, last));
  const kept = await mkdtemp(join(tmpdir(), "recover-kept-"));
  for (const name of names) await copyFile(join(directory, name), join(kept, name));
  expect(names).toHaveLength(3);

  for (let length = 0; length <= whole.length; length++) {
    for (const name of await readdir(directory)) await rm(join(directory, name));
    for (const name of names) await copyFile(join(kept, name), join(directory, name));
    await truncate(join(directory, last), length);
    const beginning = whole.subarray(0, length).toString("latin1");
    // Without a header, the lines are worth nothing; with it, every whole one counts, sealed or not.
    const lines = beginning.match(/\n\{"sequence":[^\n]*(?=\n)/g)?.length ?? 0;
    const survivors = texts.slice(0, 2 + lines);

    const log = await open();
    expect(log.lastSequence).toBe(survivors.length);
    await log.say([says("next")]).written;
    expect(await textsOf(log)).toEqual(numbered([...survivors, "next"]));
    await log.close();
    const again = await open();
    expect(again.recovery).toBeUndefined();
    expect(await textsOf(again)).toEqual(numbered([...survivors, "next"]));
    await again.close();
  }
  await rm(kept, { recursive: true });
});

test.each([
  ["zeros", Buffer.alloc(10_000)],
  ["zeros and a line break", Buffer.from(`${"\0".repeat(500)}\n`)],
  ["half a line", Buffer.from('{"sequence":4,"time":"2026')],
  ["a line that is no JSON", Buffer.from('{"sequence":4,"time":}\n')],
  ["a line with another number", Buffer.from('{"sequence":5,"time":"x"}\n')],
  ["an empty line", Buffer.from("\n")],
])("%s at the end are cut off, and the log says so", async (_, garbage) => {
  await write(["one", "two", "three"]);
  const path = join(directory, "lines-000000000001.jsonl");
  const whole = await readFile(path);
  await writeFile(path, Buffer.concat([whole, garbage]));
  const log = await open();
  expect(log.recovery).toEqual({ path, cutBytes: garbage.length, keptAs: undefined });
  expect(await readFile(path)).toEqual(whole);
  expect(await textsOf(log)).toEqual(numbered(["one", "two", "three"]));
  await log.close();
});

test("whole lines behind a fault in the last segment of format 1 are kept in a file of their own", async () => {
  const path = join(directory, "lines-000000000001.jsonl");
  const row = (sequence: number) => `{"sequence":${sequence},"time":"x"}`;
  const lines = ['{"format":1,"name":"s1","first":1}', row(1), row(2), row(3), row(4), ""];
  lines[2] = "\0".repeat(lines[2]?.length ?? 0);
  await writeFile(path, lines.join("\n"));
  const log = await open();
  expect(log.lastSequence).toBe(1);
  expect(await readFile(log.recovery?.keptAs ?? "", "utf8")).toBe(lines.slice(2).join("\n"));
  await log.destroy();
  await expect(readdir(directory)).rejects.toThrow("ENOENT");
});

test("a last segment of several megabytes is recovered whole, long lines included", async () => {
  const texts = Array.from({ length: 60 }, (_, n) => `${n} `.repeat(n % 7 === 0 ? 200_000 : 5_000));
  await write(texts, 100_000_000);
  const log = await open();
  expect(log.lastSequence).toBe(60);
  expect(log.recovery).toBeUndefined();
  await log.close();
});

test.each([
  ["of a later format", '{"format":3,"name":"s1","first":1}', /its format is 3, this daemon reads formats 1 and 2/],
  ["of another session", '{"format":1,"name":"s2","first":1}', /belongs to another segment/],
  ["with another first line", '{"format":1,"name":"s1","first":9}', /belongs to another segment/],
  ["that is not JSON", "hello", /lines-000000000001.jsonl line 1: the header is not JSON/],
])("a header %s is refused and the file left alone", async (_, header, message) => {
  const path = join(directory, "lines-000000000001.jsonl");
  await writeFile(path, `${header}\n{"sequence":1,"time":"x"}\n`);
  await expect(open()).rejects.toThrow(message);
  expect(await readFile(path, "utf8")).toContain(header);
});

test("damage in an older segment of format 1 is no matter for opening, and an error with file and line for whoever reads it", async () => {
  const row = (sequence: number) => `{"sequence":${sequence},"time":"x"}`;
  const path = join(directory, "lines-000000000001.jsonl");
  const lines = ['{"format":1,"name":"s1","first":1}', row(1), row(2), ""];
  await writeFile(
    join(directory, "lines-000000000003.jsonl"),
    ['{"format":1,"name":"s1","first":3}', row(3), ""].join("\n"),
  );
  const faults: [string[], number][] = [
    [[lines[0] ?? "", ...lines.slice(2)], 2],
    [lines.map((line, n) => (n === 2 ? line.replace("}", "\0") : line)), 3],
  ];
  for (const [damaged, line] of faults) {
    await writeFile(path, damaged.join("\n"));
    const log = await open();
    expect(log.lastSequence).toBe(3);
    await expect(textsOf(log)).rejects.toThrow(`${path} line ${line}:`);
    const reader = log.reader(line - 2);
    await expect(reader.next()).rejects.toThrow(`${path} line ${line}:`);
    reader.close();
    await log.close();
  }
});
