import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { collected, FilesHome, piecesOf } from "./files-home.ts";

let home: FilesHome;
beforeEach(async () => {
  home = await FilesHome.make();
  mkdirSync(home.root);
});
afterEach(() => home.remove());

const write = (path: string, text: string, headers = {}) =>
  home.value<{ etag: string; created: boolean }>("write", { path }, { headers, body: piecesOf(text) });
const text = async (path: string, headers = {}) =>
  (await collected(home.bytes("read", { path }, { headers }))).toString();

it("a file is written whole: one that breaks off leaves the old one and no draft", async () => {
  await write("a", "old");
  const breaking = async function* () {
    yield Buffer.from("half");
    throw new Error("the client has gone");
  };
  await expect(home.run("write", { path: "a" }, { body: breaking() })).rejects.toThrow("the client has gone");
  await expect(home.run("append", { path: "a" }, { body: breaking() })).rejects.toThrow("the client has gone");
  expect(await text("a")).toBe("old");
  expect(readdirSync(home.root)).toEqual(["a"]);
});

it("of many writers that saw the same ETag one writes, and the others are told", async () => {
  const { etag } = await write("a", "first");
  const writers = Array.from({ length: 20 }, (_, index) => write("a", `writer ${index}`, { ifMatch: etag }));
  const done = await Promise.allSettled(writers);
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of done)
    if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "precondition_failed" });
  const made = await Promise.allSettled(Array.from({ length: 20 }, () => write("new", "x", { ifNoneMatch: "*" })));
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("the ETag is another one after every change, also one of the same size by somebody else", async () => {
  const { etag } = await write("a", "one");
  expect(await text("a", { ifNoneMatch: `"other", ${etag}` })).toBe("");
  writeFileSync(join(home.root, "a"), "two");
  expect(await text("a", { ifNoneMatch: etag })).toBe("two");
  await expect(write("a", "three", { ifMatch: etag })).rejects.toMatchObject({ code: "precondition_failed" });
});

it("ranges give the bytes that are asked for, and one that has none is refused", async () => {
  await write("a", "0123456789");
  expect(await text("a", { range: "bytes=2-4" })).toBe("234");
  expect(await text("a", { range: "bytes=7-" })).toBe("789");
  expect(await text("a", { range: "bytes=-3" })).toBe("789");
  expect(await text("a", { range: "bytes=8-99" })).toBe("89");
  await expect(text("a", { range: "bytes=10-" })).rejects.toMatchObject({ code: "range_not_satisfiable", status: 416 });
  expect(await text("a", { range: "lines=1-2" })).toBe("0123456789");
});

it("modes are kept, given, and never let a file run as its owner", async () => {
  await home.value("write", { path: "run", mode: "755" }, { body: piecesOf("#!") });
  expect(statSync(join(home.root, "run")).mode & 0o7777).toBe(0o755);
  await write("run", "changed");
  expect(statSync(join(home.root, "run")).mode & 0o7777).toBe(0o755);
});

it("pipes, sockets and devices are named and never opened", async () => {
  execFileSync("mkfifo", [join(home.root, "pipe")]);
  expect(await home.value("stat", { path: "pipe" })).toMatchObject({ type: "other" });
  for (const operation of ["read", "write", "append"] as const) {
    await expect(home.run(operation, { path: "pipe" }, { body: piecesOf("x") })).rejects.toMatchObject({
      code: "not_a_file",
    });
  }
  await expect(home.run("copy", { from: "pipe", to: "copy" })).rejects.toMatchObject({ code: "not_a_file" });
});

it("moving and copying replace a file only when that is wished, and a directory never", async () => {
  await write("a", "a");
  await write("b", "b");
  mkdirSync(join(home.root, "sub"));
  for (const operation of ["move", "copy"] as const) {
    await expect(home.run(operation, { from: "a", to: "b" })).rejects.toMatchObject({ code: "file_exists" });
    await expect(home.run(operation, { from: "a", to: "sub", overwrite: true })).rejects.toMatchObject({
      code: "file_exists",
    });
    await expect(home.run(operation, { from: "sub", to: "sub/inner" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  }
  await home.run("copy", { from: "a", to: "b", overwrite: true });
  await home.run("move", { from: "b", to: "sub/c" });
  expect(await text("sub/c")).toBe("a");
  await home.run("copy", { from: "sub", to: "again" });
  expect(await text("again/c")).toBe("a");
  await expect(home.run("delete", { path: "sub" })).rejects.toMatchObject({ code: "directory_not_empty" });
  await home.run("delete", { path: "sub", recursive: true });
  expect(readdirSync(home.root).sort()).toEqual(["a", "again"]);
});

it("links inside are followed to be read and written, and are deleted themselves", async () => {
  await write("real", "one");
  symlinkSync("real", join(home.root, "link"));
  await write("link", "two");
  expect([await text("link"), readFileSync(join(home.root, "real"), "utf8")]).toEqual(["two", "two"]);
  await home.run("delete", { path: "link" });
  expect(readdirSync(home.root)).toEqual(["real"]);
});

it("a search finds each line once, also over the cuts of large files, and leaves out what is ignored", async () => {
  const line = `${"x".repeat(99)}\n`;
  writeFileSync(join(home.root, "large"), `${line.repeat(10_000)}needle at the end\n`);
  writeFileSync(join(home.root, "binary"), Buffer.concat([Buffer.from([0]), Buffer.from("needle")]));
  writeFileSync(join(home.root, ".gitignore"), "ignored\n*.log\n!kept.log\n");
  for (const name of ["ignored", "a.log", "kept.log"]) writeFileSync(join(home.root, name), "a needle and a needle");
  const found = await home.value<{ matches: { path: string; line: number; column: number }[] }>("search", {
    query: "needle",
  });
  expect(found.matches.map(({ path, line, column }) => [path, line, column])).toEqual([
    ["kept.log", 1, 3],
    ["large", 10_001, 1],
  ]);
  const globbed = await home.value<{ matches: unknown[] }>("search", { query: "needle", glob: "*.log", ignored: true });
  expect(globbed.matches).toHaveLength(2);
});

it("a regular expression is ripgrep's work, over the files that we opened; without it that is told", async () => {
  writeFileSync(join(home.root, "a"), "one\ntwo 22\nthree 333\n");
  mkdirSync(join(home.root, "sub"));
  for (let file = 0; file < 150; file++) writeFileSync(join(home.root, "sub", `${file}`), `file ${file}\n`);
  const search = (query: string, limit = 1000) =>
    home.value<{ matches: { path: string; line: number; text: string }[]; hasMore: boolean }>("search", {
      query,
      regex: true,
      limit,
    });
  const { PATH } = process.env;
  try {
    process.env.PATH = home.outside;
    await expect(search("x")).rejects.toMatchObject({ code: "files_unavailable" });
    process.env.PATH = dirname(createRequire(import.meta.url).resolve("@vscode/ripgrep-linux-x64/bin/rg"));
    const { matches } = await search("\\d{2,}$");
    expect(matches.filter(({ path }) => path === "a")).toMatchObject([
      { line: 2, text: "two 22" },
      { line: 3, text: "three 333" },
    ]);
    expect(matches.filter(({ path }) => path.startsWith("sub/"))).toHaveLength(140);
    expect(await search("file", 5)).toMatchObject({ hasMore: true });
    await expect(search("(")).rejects.toMatchObject({ code: "invalid_request" });
  } finally {
    process.env.PATH = PATH;
  }
});
