import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LogFile, logFileName, olderLogFileName } from "./log-file.ts";

it("the log file keeps the newest lines in two files of a bounded size, for its user only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "muster-log-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = new LogFile(folder, 100);
  for (let at = 0; at < 100; at++) file.write(`line ${at}\n`);
  file.close();
  expect((await readdir(folder)).sort()).toEqual([logFileName, olderLogFileName]);
  const both = await Promise.all([olderLogFileName, logFileName].map((name) => readFile(join(folder, name), "utf8")));
  expect(both.join("").length).toBeLessThan(220);
  expect(both.join("").trimEnd().split("\n").at(-1)).toBe("line 99");
  expect((await stat(join(folder, logFileName))).mode & 0o777).toBe(0o600);
});

it("a log file without a place to be loses its lines and throws nothing", () => {
  const file = new LogFile(join(tmpdir(), "muster-not-there", "at-all"));
  expect(() => file.write("line\n")).not.toThrow();
  file.close();
});
