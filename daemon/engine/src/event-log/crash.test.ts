import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EventLog } from "./event-log.ts";
import { GroupSync } from "./group-sync.ts";

const program = fileURLToPath(new URL("programs/append-until-killed.mjs", import.meta.url));
const kills = 20;

interface Witness {
  /** sequence → the event as a reader saw it, over all lives. */
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
    expect(witness.seen.get(sequence) ?? words).toBe(words);
    witness.seen.set(sequence, words);
    if (seen++ === enough) child.kill("SIGKILL");
  });
  await exited;
  await read;
  expect(child.signalCode).toBe("SIGKILL");
}

test.each(["batch", "sync", "none"] as const)(
  `nothing that a reader has seen is missing or changed after ${kills} SIGKILLs with durability %s`,
  async (durability) => {
    const directory = await mkdtemp(join(tmpdir(), "crash-"));
    const groupSync = new GroupSync();
    const witness: Witness = { seen: new Map(), synced: 0 };
    for (let life = 1; life <= kills; life++) {
      await runAndKill([directory, durability, String(life)], witness);
      const log = await EventLog.open({ directory, sessionId: "s1", durability, groupSync });
      expect(log.lastSequence).toBeGreaterThanOrEqual(Math.max(witness.synced, ...witness.seen.keys()));
      let expected = 0;
      for (let page = await log.read(0, 10_000); ; page = await log.read(page.last, 10_000)) {
        for (const line of page.lines) {
          const json = line.toString();
          expect(JSON.parse(json).sequence).toBe(++expected);
          if (witness.seen.has(expected)) expect(json).toBe(witness.seen.get(expected));
          // Whatever survived can be seen from now on, so from now on it has to stay.
          witness.seen.set(expected, json);
        }
        if (!page.hasMore) break;
      }
      expect(expected).toBe(log.lastSequence);
      await log.close();
    }
    await groupSync.close();
    await rm(directory, { recursive: true });
  },
);
