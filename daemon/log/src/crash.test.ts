import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openTextLog, type TextLog } from "../test/text-log.ts";
import { GroupSync } from "./write/group-sync.ts";

const program = fileURLToPath(new URL("../test/programs/append-until-killed.mjs", import.meta.url));

interface Witness {
  /** sequence → the line as a reader saw it, over all lives. */
  seen: Map<number, string>;
  synced: number;
}

/** Runs the program until it has said something and a random while longer; SIGKILL leaves it no last word. */
async function runAndKill(args: string[], witness: Witness): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const read = once(lines, "close");
  let seen = 0;
  const enough = Math.floor(Math.random() ** 3 * 3_000);
  lines.on("line", (line) => {
    const space = line.indexOf(" ");
    const words = line.slice(space + 1);
    if (line.startsWith("synced ")) witness.synced = Math.max(witness.synced, Number(words));
    if (!line.startsWith("seen ") || !words.endsWith("}")) return;
    const { sequence } = JSON.parse(words) as { sequence: number };
    witness.seen.set(sequence, words);
    if (seen++ === enough) child.kill("SIGKILL");
  });
  await exited;
  await read;
  expect(child.signalCode).toBe("SIGKILL");
}

/** What is wrong with the log, given what was seen of it; remembers what can be seen from now on. */
async function faultsOf(log: TextLog, witness: Witness): Promise<string[]> {
  const faults: string[] = [];
  let sequence = 0;
  for (let hasMore = true; hasMore; ) {
    const page = await log.read(sequence, 10_000);
    for (const line of page.lines) {
      const json = line.toString();
      if (JSON.parse(json).sequence !== ++sequence) faults.push(`not line ${sequence}: ${json}`);
      if ((witness.seen.get(sequence) ?? json) !== json) faults.push(`${sequence} has changed`);
      witness.seen.set(sequence, json);
    }
    hasMore = page.hasMore;
  }
  if (sequence < witness.seen.size) faults.push(`${sequence} is the last, ${witness.seen.size} were seen`);
  if (sequence < witness.synced) faults.push(`${sequence} is the last, ${witness.synced} was synced`);
  if (sequence !== log.lastSequence) faults.push(`${sequence} is the last, the log says ${log.lastSequence}`);
  return faults;
}

test.each([
  ["batch", 20],
  ["sync", 5],
  ["none", 5],
] as const)(
  "nothing that a reader has seen is missing or changed with durability %s after %i SIGKILLs",
  async (durability, kills) => {
    const directory = await mkdtemp(join(tmpdir(), "crash-"));
    const groupSync = new GroupSync();
    const witness: Witness = { seen: new Map(), synced: 0 };
    for (let life = 1; life <= kills; life++) {
      await runAndKill([directory, durability, String(life)], witness);
      const log = await openTextLog({ directory, durability, groupSync });
      expect(await faultsOf(log, witness)).toEqual([]);
      await log.close();
    }
    await groupSync.close();
    await rm(directory, { recursive: true });
  },
);
