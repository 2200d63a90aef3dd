import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { badArchives, strangeArchives } from "./bad-archives.ts";
import { FilesHome, piecesOf } from "./files-home.ts";
import { pictureOf } from "./odd-tree.ts";

let home: FilesHome;
let before: Map<string, string>;
beforeAll(async () => {
  home = await FilesHome.make();
  mkdirSync(home.outside);
  writeFileSync(join(home.outside, "kept"), "kept");
  mkdirSync(join(home.root, "there"), { recursive: true });
  writeFileSync(join(home.root, "there", "old"), "old");
  before = pictureOf(home.path);
});
afterAll(() => home.remove());

const kinds = Object.keys(badArchives("/nowhere"));

describe("an archive is refused and changes nothing, neither where it was to go nor outside", () => {
  it("there are at least 40 kinds", () => {
    expect(kinds.length + Object.keys(strangeArchives).length).toBeGreaterThanOrEqual(40);
  });

  describe.each(kinds)("%s", (kind) => {
    it.each(["new", "there", "."])("into %s", async (path) => {
      const archive = badArchives(home.outside)[kind] ?? Buffer.alloc(0);
      const upload = home.run("upload", { path }, { body: piecesOf(archive) });
      await expect(upload).rejects.toMatchObject({ name: "Failure", code: "archive_refused" });
      const packed = home.run("upload", { path, format: "tar.gz" }, { body: piecesOf(gzipSync(archive)) });
      await expect(packed).rejects.toMatchObject({ name: "Failure", code: "archive_refused" });
      expect(pictureOf(home.path)).toEqual(before);
    });
  });
});

it.each(Object.keys(strangeArchives))("nothing lies outside after %s", async (kind) => {
  const path = `strange ${kind}`;
  await home.run("upload", { path }, { body: piecesOf(strangeArchives[kind] ?? Buffer.alloc(0)) });
  const after = pictureOf(home.path);
  for (const [name, picture] of after) {
    if (!name.startsWith(`root/${path}`)) expect(picture, name).toBe(before.get(name));
  }
  expect(after.get("outside/kept")).toBe(before.get("outside/kept"));
  const suid = join(home.root, path, "suid");
  if (existsSync(suid)) expect(lstatSync(suid).mode & 0o7000).toBe(0);
  await home.run("delete", { path, recursive: true });
  expect(pictureOf(home.path)).toEqual(before);
});

it("what is no gzip is refused as one", async () => {
  const upload = home.run("upload", { path: "new", format: "tar.gz" }, { body: piecesOf("no gzip at all") });
  await expect(upload).rejects.toMatchObject({ code: "archive_refused" });
  expect(pictureOf(home.path)).toEqual(before);
});
