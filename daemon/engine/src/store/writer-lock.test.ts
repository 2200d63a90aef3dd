import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DirectoryInUse } from "./directory-in-use.ts";
import { writeEpoch } from "./fence.ts";
import { layout } from "./layout.ts";
import { lockDirectory } from "./writer-lock.ts";

const program = fileURLToPath(new URL("programs/hold-directory.mjs", import.meta.url));
/** Whole daemons race a thousand times in server/test/lives/start-races.test.ts. */
const rounds = 10;
const children: ChildProcess[] = [];
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "muster-writer-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

const take = () => lockDirectory(layout(root), () => {});

it("is held by one, tells the other who, and every holder has a higher number", async () => {
  const first = await take();
  await expect(take()).rejects.toThrow(new DirectoryInUse(`The data directory is in use by process ${process.pid}`));
  await first.release();
  const second = await take();
  expect(second.fence.epoch).toBe(first.fence.epoch + 1);
  await second.release();
  expect(await readdir(layout(root).writer)).toEqual(["epoch"]);
});

it("is free at once when its holder is killed, and not while it is only stopped", async () => {
  const holder = await hold();
  holder.child.kill("SIGSTOP");
  await expect(take()).rejects.toThrow(DirectoryInUse);
  const exited = once(holder.child, "exit");
  holder.child.kill("SIGKILL");
  await exited;
  await (await take()).release();
});

it("is seen by a process in another pid namespace", async (context) => {
  const apart = ["--pid", "--net", "--fork", "--kill-child", "--mount-proc"];
  try {
    execFileSync("unshare", [...apart, "true"], { stdio: "pipe" });
  } catch {
    return context.skip("another pid namespace needs root");
  }
  const lock = await take();
  const other = await contend("unshare", [...apart, process.execPath, program, root]);
  expect(other).toMatch(new RegExp(`^refused: .* in use by process ${process.pid} of another container`));
  await lock.release();
  expect(await contend("unshare", [...apart, process.execPath, program, root])).toMatch(/^held/);
});

it(
  `of ${rounds} races, each of 4 processes over a dead holder, one wins every time`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      const racers = await Promise.all(Array.from({ length: 4 }, () => hold()));
      const winners = racers.filter(({ said }) => said.startsWith("held"));
      expect(winners.map(({ said }) => said)).toHaveLength(1);
      const exits = racers.map(({ child }) => (child.exitCode === null ? once(child, "exit") : undefined));
      for (const { child } of racers) child.kill("SIGKILL");
      await Promise.all(exits);
    }
  },
  60_000 + rounds * 10_000,
);

it("stops a writer whose number is not the newest any more", async () => {
  const lock = await take();
  lock.fence.check();
  await writeEpoch(join(layout(root).writer, "epoch"), lock.fence.epoch + 1);
  expect(() => lock.fence.check()).toThrow(expect.objectContaining({ code: "writer_replaced" }));
  await lock.release();
});

/** A process that wants the directory; resolves with its first word. */
async function hold(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [program, root], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return { child, said: await firstWord(child) };
}

async function contend(command: string, args: string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return firstWord(child);
}

async function firstWord(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout as NodeJS.ReadableStream, "data");
  return String(chunk);
}
