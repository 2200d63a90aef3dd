import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ChangeQueue } from "../src/files/watch/change-queue.ts";
import { FilesHome } from "./files-home.ts";

let home: FilesHome;
const readers: AsyncIterator<FileChange>[] = [];
beforeEach(async () => {
  home = await FilesHome.make();
  mkdirSync(join(home.root, "sub"), { recursive: true });
  mkdirSync(home.outside);
});
afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.return?.();
  await home.remove();
});

async function watch(fields = {}, headers = {}) {
  const answer = await home.run("watch", fields, { headers });
  if (answer.kind !== "changes") throw new Error(answer.kind);
  const reader = answer.changes[Symbol.asyncIterator]();
  readers.push(reader);
  const seen: FileChange[] = [];
  /** Reads until there is such a change. */
  const until = async (type: FileChange["type"], path?: string) => {
    for (;;) {
      const { value, done } = await reader.next();
      if (done === true) throw new Error(`the stream ended before ${type} ${path}`);
      seen.push(value);
      if (value.type === type && value.path === path) return value;
    }
  };
  return { until, seen };
}

it("what is made, changed, moved and removed at any depth is told, numbered without holes", async () => {
  const { until, seen } = await watch();
  expect(await until("watching")).toEqual({ number: 1, type: "watching" });
  writeFileSync(join(home.root, "a"), "1");
  expect((await until("created", "a")).kind).toBe("file");
  writeFileSync(join(home.root, "a"), "22");
  await until("changed", "a");
  mkdirSync(join(home.root, "sub", "x", "y"), { recursive: true });
  writeFileSync(join(home.root, "sub", "x", "y", "deep"), "1");
  await until("created", "sub/x/y/deep");
  renameSync(join(home.root, "sub", "x"), join(home.root, "moved"));
  await until("removed", "sub/x");
  writeFileSync(join(home.root, "moved", "y", "later"), "1");
  await until("created", "moved/y/later");
  rmSync(join(home.root, "moved"), { recursive: true });
  await until("removed", "moved");
  expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
});

it("a link is told and not followed, and what is ignored is left out where that is wished", async () => {
  writeFileSync(join(home.root, ".gitignore"), "skipped\n");
  const { until, seen } = await watch({ ignored: false });
  await until("watching");
  symlinkSync(home.outside, join(home.root, "out"));
  writeFileSync(join(home.outside, "unseen"), "1");
  writeFileSync(join(home.root, "skipped"), "1");
  writeFileSync(join(home.root, "last"), "1");
  await until("created", "last");
  expect(seen.map(({ path = "" }) => path).filter((path) => /unseen|skipped/.test(path))).toEqual([]);
});

it("a stream that is taken up again goes on with its numbers and says to look again", async () => {
  const { until, seen } = await watch({}, { lastEventId: "41" });
  await until("watching");
  expect(seen).toEqual([
    { number: 42, type: "overflow" },
    { number: 43, type: "watching" },
  ]);
});

it("a reader that does not keep up is told to look again, and then what comes", async () => {
  const queue = new ChangeQueue(0);
  for (let index = 0; index < 20_000; index++) queue.add(Buffer.from(`file ${index}`), { type: "removed" });
  const first = (await queue.take()) ?? [];
  expect(first).toEqual([{ number: 1, type: "overflow" }]);
  queue.add(Buffer.from("after"), { type: "removed" });
  expect(await queue.take()).toEqual([{ number: 2, type: "removed", path: "after" }]);
});
