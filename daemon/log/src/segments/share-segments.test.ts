import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { linesOf } from "../lines/line-block.ts";
import { Log } from "../log.ts";
import type { LogForm } from "../log-form.ts";
import { GroupSync } from "../write/group-sync.ts";

let folder: string;
let groupSync: GroupSync;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-share-"));
  groupSync = new GroupSync();
});
afterEach(async () => {
  await groupSync.close();
  await rm(folder, { recursive: true, force: true });
});

const formOf = (name: string, ...ancestors: string[]): LogForm => ({
  owner: { name },
  ancestors: ancestors.map((ancestor) => ({ name: ancestor })),
  title: `The log of ${name}`,
  prefix: "events",
  key: '{"sequence":',
  longest: 10_000,
  shortest: 10,
  isSkippable: () => false,
  damageLine: ({ to }) => JSON.stringify({ sequence: to, damaged: true }),
});

function open(name: string, ...ancestors: string[]): Promise<Log> {
  const directory = join(folder, name);
  return Log.open({ directory, form: formOf(name, ...ancestors), durability: "batch", groupSync, segmentBytes: 2_000 });
}

async function append(log: Log, count: number, text: string): Promise<void> {
  for (let index = 0; index < count; index++) {
    const first = log.nextSequence();
    const bytes = Buffer.from(`${JSON.stringify({ sequence: first, text, more: "x".repeat(200) })}\n`);
    const lines = { first, start: 0, bytes, ends: [bytes.length], time: "", skippable: [false] };
    await log.append(lines).synced();
  }
}

async function texts(log: Log): Promise<string[]> {
  const found: string[] = [];
  for await (const block of log.blocks(0)) {
    for (const line of linesOf(block)) found.push((JSON.parse(line.toString()) as { text: string }).text);
  }
  return found;
}

async function share(from: Log, upTo: number, name: string, ...ancestors: string[]): Promise<Log> {
  const directory = join(folder, name);
  await mkdir(directory);
  await from.share(upTo, { directory, form: formOf(name, ...ancestors) });
  return open(name, ...ancestors);
}

it.each([0, 1, 7, 20, 39, 40])(
  "a log that begins with %i lines of another one goes on with its numbers",
  async (upTo) => {
    const source = await open("source");
    await append(source, 40, "shared");
    const fork = await share(source, upTo, "fork", "source");
    expect(fork.lastSequence).toBe(upTo);
    await append(fork, 15, "own");
    await append(source, 15, "later");
    const ofSource = [...Array(40).fill("shared"), ...Array(15).fill("later")];
    const ofFork = [...Array(upTo).fill("shared"), ...Array(15).fill("own")];
    expect([await texts(source), await texts(fork)]).toEqual([ofSource, ofFork]);
    await fork.close();
    await source.destroy();
    const again = await open("fork", "source");
    expect(await texts(again)).toEqual(ofFork);
    await again.close();
  },
);

it("finished segments are the same files, and a fork of a fork shares them too", async () => {
  const source = await open("source");
  await append(source, 40, "shared");
  const fork = await share(source, 35, "fork", "source");
  const second = await share(fork, 35, "second", "source", "fork");
  expect(await texts(second)).toEqual(Array(35).fill("shared"));
  const [first = ""] = (await readdir(join(folder, "second"))).filter((name) => name.startsWith("events-")).sort();
  expect((await stat(join(folder, "second", first))).nlink).toBe(3);
  await Promise.all([source.destroy(), fork.destroy()]);
  expect(await texts(second)).toEqual(Array(35).fill("shared"));
  await second.close();
});

it("a log whose ancestors are not named is not read", async () => {
  const source = await open("source");
  await append(source, 40, "shared");
  await (await share(source, 30, "fork", "source")).close();
  const stranger = await open("fork");
  await expect(texts(stranger)).rejects.toThrow("the header belongs to another segment");
  await stranger.close();
  await source.close();
});
