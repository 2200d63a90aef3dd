import { execFile, execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Failure } from "@muster/schema/wire";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTextLog, says, type TextLog } from "../test/text-log.ts";
import { GroupSync } from "./write/group-sync.ts";

let directory: string;
let isMounted = false;
const groupSync = new GroupSync();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "full-disk-"));
});
afterEach(async () => {
  // Here and not in the tests, so that also one that timed out leaves no disk behind.
  if (isMounted) execFileSync("umount", ["-l", directory]);
  isMounted = false;
  await rm(directory, { recursive: true, force: true });
});

const open = () => openTextLog({ directory, durability: "batch", groupSync });

/** A disk of this size at the directory; false where this user may not mount one. */
function mount(size: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", directory], { stdio: "pipe" });
    isMounted = true;
  } catch {
    isMounted = false;
  }
  return isMounted;
}

async function allOf(log: TextLog): Promise<number[]> {
  const sequences: number[] = [];
  for await (const line of log.lines(0)) sequences.push(line.sequence);
  return sequences;
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

test("a full disk fails what could not be written, publishes none of it, and the log goes on when there is room", async (context) => {
  if (!mount("256k")) return context.skip("mounting a small disk needs root");
  const log = await open();
  const failures: Failure[] = [];
  void log.whenFailed.then((failure) => failures.push(failure));
  const reader = log.reader(0);
  const pending: Promise<void>[] = [];
  for (let n = 0; n < 200; n++) {
    const appended = log.say(Array.from({ length: 10 }, () => says("x".repeat(300))));
    pending.push(appended.written, appended.synced());
    if (n % 7 === 0) await appended.written.catch(() => {});
    if (log.failed !== undefined) break;
  }
  const outcomes = await Promise.allSettled(pending);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(failed.length).toBeGreaterThan(0);
  for (const outcome of failed) expect(outcome.reason).toBe(log.failed);
  expect(failures).toEqual([log.failed]);
  expect(log.failed).toMatchObject({
    code: "storage_full",
    status: 507,
    fields: { name: "s1", reason: "ENOSPC" },
  });
  expect(() => log.say([says("more")])).toThrow(Failure);

  const published = log.publishedSequence;
  expect(published).toBeGreaterThan(100);
  expect([log.lastSequence, log.backlogBytes]).toEqual([published, 0]);
  let seen = 0;
  while (reader.position < published) seen += (await reader.next())?.ends.length ?? 0;
  expect(seen).toBe(published);
  expect(await allOf(log)).toEqual(upTo(published));
  await log.close();
  expect(await reader.next()).toBeNull();
  reader.close();
  expect((await readFile(join(directory, "lines-000000000001.jsonl"), "utf8")).match(/^\{/gm)).toHaveLength(
    published + 1,
  );

  execFileSync("mount", ["-o", "remount,size=4m", directory]);
  const again = await open();
  expect([again.lastSequence, again.recovery]).toEqual([published, undefined]);
  await again.say([says("there is room")]).synced();
  expect(await allOf(again)).toEqual(upTo(published + 1));
  await again.close();
});

test("a disk that is full from the beginning leaves a log that can be opened", async (context) => {
  if (!mount("4k")) return context.skip("mounting a small disk needs root");
  const log = await open();
  await expect(log.say([says("x".repeat(100_000))]).written).rejects.toMatchObject({ code: "storage_full" });
  await log.close();
  const again = await open();
  expect(again.lastSequence).toBe(0);
  await again.close();
});

test("a write that stops in the middle of a line is taken back to the last whole one", async (context) => {
  try {
    execFileSync("prlimit", ["--version"]);
  } catch {
    return context.skip("prlimit is not installed");
  }
  const program = fileURLToPath(new URL("../test/programs/append-until-refused.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)("prlimit", ["--fsize=50000", process.execPath, program, directory]);
  const { rejected, publishedSequence, lastSequence } = JSON.parse(stdout);
  expect(rejected).toMatchObject({ code: "storage_full", reason: "EFBIG", first: publishedSequence + 1 });
  expect(publishedSequence).toBeGreaterThan(20);
  expect(lastSequence).toBe(publishedSequence);
  const log = await open();
  expect([log.lastSequence, log.recovery]).toEqual([publishedSequence, undefined]);
  expect(await allOf(log)).toEqual(upTo(publishedSequence));
  await log.close();
});

test.runIf(process.platform === "linux")("a sync that the disk refuses fails the log for good", async () => {
  const log = await open();
  const failures: Failure[] = [];
  void log.whenFailed.then((failure) => failures.push(failure));
  await log.say([says("one")]).synced();
  const appended = log.say([says("two")]);
  await appended.written;
  putDeviceInPlaceOf(join(directory, "lines-000000000001.jsonl"));
  await expect(appended.synced()).rejects.toMatchObject({ code: "storage_full", fields: { reason: "EINVAL" } });
  await expect(appended.synced()).rejects.toBe(log.failed);
  expect(failures).toEqual([log.failed]);
  expect(() => log.say([says("three")])).toThrow(Failure);
  expect([log.lastSequence, log.publishedSequence]).toEqual([2, 2]);
  await log.close();
});

/** The descriptor under which this process writes the file now leads to a device that knows no sync. */
function putDeviceInPlaceOf(path: string): void {
  const writer = readdirSync("/proc/self/fd").find((fd) => linkOf(fd) === path);
  closeSync(Number(writer));
  expect(openSync("/dev/null", "r+")).toBe(Number(writer));
}

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
