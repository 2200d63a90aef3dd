import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTimeOf } from "../processes/process-table.ts";
import { takePidLock } from "./pid-lock.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "muster-lock-"));
  path = join(directory, "lock");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("a lock is held by one process, and free again after its release", async () => {
  const release = await mustTake();
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ pid: process.pid });
  expect(await takePidLock(path)).toEqual({ heldBy: process.pid });
  await release();
  await (await mustTake())();
  expect(await readdir(directory)).toEqual([]);
});

it("a lock is refused while its holder lives and taken over once it is dead", async () => {
  const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(holder, "spawn");
  await writeFile(path, JSON.stringify({ pid: holder.pid }));
  expect(await takePidLock(path)).toEqual({ heldBy: holder.pid });
  const exited = once(holder, "exit");
  holder.kill("SIGKILL");
  await exited;
  await (await mustTake())();
});

it.each([
  ["of every process", '{"pid":-1}'],
  ["of a group", '{"pid":0}'],
  ["of nobody", '{"pid":"1"}'],
  ["of this pid before this process had it", `{"pid":${process.pid}}`],
  ["cut off", '{"pid":'],
])("a lock %s is taken over", async (_, content) => {
  await writeFile(path, content);
  await (await mustTake())();
});

it("a folder in the place of the lock is told and stays", async () => {
  await mkdir(path);
  await expect(takePidLock(path)).rejects.toMatchObject({ code: "EFTYPE" });
  expect(await readdir(directory)).toEqual(["lock"]);
});

it("a lock whose holder is a zombie is taken over", async () => {
  // A shell that becomes another program never waits for the child it has: once ended, that child is a zombie.
  const parent = spawn("sh", ["-c", "sleep 300 & echo $!; exec sleep 300"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    const holder = { pid, started: startTimeOf(pid) };
    expect(holder.started).toBeDefined();
    await writeFile(path, JSON.stringify(holder));
    expect(await takePidLock(path)).toEqual({ heldBy: pid });
    // The shell has become sleep by the time its child is killed.
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => readFile(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
    await (await mustTake())();
  } finally {
    parent.kill("SIGKILL");
  }
});

it("a lock is not held by another process that has the pid of a dead holder", async () => {
  await writeFile(path, JSON.stringify({ pid: process.ppid, started: "1" }));
  await (await mustTake())();
});

it("a lock that was half-written, or is no lock, is taken over", async () => {
  for (const content of ['{"pid"', "nonsense", "{}", "null"]) {
    await writeFile(path, content);
    await (await mustTake())();
  }
});

it("of many that take over a dead lock at the same moment one has it, also after a crash in the middle of that", async () => {
  for (let round = 0; round < 20; round++) {
    await writeFile(path, `left by crash ${round}`);
    if (round % 2 === 0) await writeFile(`${path}.removal`, `left by crash ${round}`);
    const taken = await Promise.all(Array.from({ length: 20 }, () => takePidLock(path)));
    const [lock, ...others] = taken.filter((one) => "release" in one);
    expect(others).toEqual([]);
    await lock?.release();
    expect(await readdir(directory)).toEqual([]);
  }
});

async function mustTake(): Promise<() => Promise<void>> {
  const lock = await takePidLock(path);
  if (!("release" in lock)) throw new Error(`The lock is held by ${lock.heldBy}`);
  return lock.release;
}
