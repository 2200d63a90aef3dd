import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

let folder: string;
let told: string[];
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "muster-data-")));
  told = [];
});
afterEach(() => rm(folder, { recursive: true }));

const open = (name: string) =>
  openDataDirectory(join(folder, name), (level, text) => void told.push(`${level}: ${text}`));
const modeOf = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);

it("a new one is for its user alone, and nothing is said", async () => {
  expect(await open("a/b")).toBe(join(folder, "a/b"));
  expect(await modeOf("a/b")).toBe("700");
  expect(told).toEqual([]);
});

it("one that others may read stays as it is; one that they may write is closed to them, and said", async () => {
  await mkdir(join(folder, "shown"));
  await chmod(join(folder, "shown"), 0o755);
  await open("shown");
  expect([await modeOf("shown"), told]).toEqual(["755", []]);
  await mkdir(join(folder, "open"));
  await chmod(join(folder, "open"), 0o777);
  await open("open");
  expect(await modeOf("open")).toBe("755");
  expect(told).toEqual(["warn: others could write in the data directory; that is taken from them"]);
});

it("behind a link the real one is used, and said", async () => {
  await mkdir(join(folder, "real"), { mode: 0o700 });
  await symlink(join(folder, "real"), join(folder, "link"));
  expect(await open("link")).toBe(join(folder, "real"));
  expect(told).toEqual(["warn: the data directory is a link; what it points to is used"]);
});
