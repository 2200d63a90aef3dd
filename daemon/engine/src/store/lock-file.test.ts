import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DirectoryInUse } from "./directory-in-use.ts";
import { takeLockFile } from "./lock-file.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "muster-lock-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("is held by one process, and free again after its release", async () => {
  const path = join(directory, "lock");
  const release = await takeLockFile(path);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: process.pid });
  await release();
  await (await takeLockFile(path))();
});

it("refuses while its holder lives and is taken over once it is dead", async () => {
  const path = join(directory, "lock");
  const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(holder, "spawn");
  await writeFile(path, JSON.stringify({ pid: holder.pid, started: null }));
  await expect(takeLockFile(path)).rejects.toThrow(DirectoryInUse);
  const exited = once(holder, "exit");
  holder.kill("SIGKILL");
  await exited;
  await (await takeLockFile(path))();
});

it("is not fooled by another process with the pid of a dead holder", async () => {
  const path = join(directory, "lock");
  await writeFile(path, JSON.stringify({ pid: process.ppid, started: "1" }));
  await (await takeLockFile(path))();
});

it("takes over a lock that was half-written", async () => {
  const path = join(directory, "lock");
  await writeFile(path, '{"pid"');
  await (await takeLockFile(path))();
});
