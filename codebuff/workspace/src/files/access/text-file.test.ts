import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readTextFile, writeTextFile } from "./text-file.ts";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "codebuff-text-"));
  file = path.join(directory, "a.txt");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("byte order mark and mode survive", async () => {
  writeFileSync(file, "\uFEFFalpha\n");
  chmodSync(file, 0o640);
  const before = await readTextFile(file);
  expect(before).toMatchObject({ text: "alpha\n", bom: true, mode: 0o640 });
  await writeTextFile(file, "beta\n", before);
  expect(readFileSync(file, "utf8")).toBe("\uFEFFbeta\n");
  expect(statSync(file).mode & 0o7777).toBe(0o640);
});

test.each([
  ["changed it", (target: string) => writeFileSync(target, "theirs\n"), "theirs\n"],
  ["deleted it", (target: string) => rmSync(target), undefined],
])("a write fails when somebody else %s meanwhile, and leaves nothing behind", async (_title, meanwhile, left) => {
  writeFileSync(file, "alpha\n");
  const before = await readTextFile(file);
  meanwhile(file);
  await expect(writeTextFile(file, "beta\n", before)).rejects.toThrow();
  expect(readdirSync(directory)).toEqual(left === undefined ? [] : ["a.txt"]);
  if (left !== undefined) expect(readFileSync(file, "utf8")).toBe(left);
});

test("a new file does not overwrite one that came meanwhile", async () => {
  writeFileSync(file, "theirs\n");
  await expect(writeTextFile(file, "mine\n", undefined)).rejects.toThrow("somebody else");
  expect(readFileSync(file, "utf8")).toBe("theirs\n");
});

test("a file too large to edit is refused before it is read", async () => {
  writeFileSync(file, "");
  truncateSync(file, 33 * 1024 * 1024);
  await expect(readTextFile(file)).rejects.toThrow("larger than 32 MB");
});

test.each([
  ["a NUL byte", Buffer.from([65, 0, 66])],
  ["broken UTF-8", Buffer.from([0xff, 0xfe, 65])],
])("a file with %s is not a text", async (_title, bytes) => {
  writeFileSync(file, bytes);
  await expect(readTextFile(file)).rejects.toThrow("not UTF-8 text");
});
