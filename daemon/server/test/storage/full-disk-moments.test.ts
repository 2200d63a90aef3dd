import { execFileSync } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isLong, random, tell } from "@muster/chaos";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

const moments = isLong ? 200 : 5;
const diskBytes = 24 * 1024 * 1024;

it("a disk that is full at a random moment costs what was being written then, and nothing else", {
  timeout: 1_800_000,
}, async (context) => {
  const disk = await mkdtemp(join(tmpdir(), "muster-moments-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", disk], { stdio: "pipe" });
  } catch (error) {
    await rm(disk, { recursive: true });
    const note = `mounting a small disk needs root: ${String(error).split("\n")[0]}`;
    tell({ fault: "disk full at a random moment", tried: 0, held: 0, note });
    return context.skip(note);
  }
  const home = await DaemonHome.make({ dataDirectory: join(disk, "data") });
  try {
    const daemon = await home.start();
    const next = random();
    const faults: string[] = [];
    let refused = 0;
    for (let moment = 1; moment <= moments; moment++) {
      const place = { filler: join(disk, "filler"), pauseMs: next() * 120, freeBytes: Math.floor(next() * 96 * 1024) };
      const found = await endure(daemon, `moment-${moment}`, place).catch((error: unknown) => ({
        faults: [String(error)],
        wasRefused: false,
      }));
      await rm(place.filler, { force: true });
      await daemon.api.request("DELETE", `/sessions/moment-${moment}`);
      if (found.wasRefused) refused++;
      faults.push(...found.faults.map((fault) => `moment ${moment}: ${fault}`));
    }
    const held = moments - new Set(faults.map((fault) => fault.split(":")[0])).size;
    const note = `${refused} of them met a session that had to be refused with 507`;
    tell({ fault: "disk full at a random moment", tried: moments, held, note });
    expect(faults).toEqual([]);
    expect(await daemon.api.get("/health")).toEqual({ status: "ok" });
    expect(daemon.stderr).not.toMatch(/Unhandled|uncaught/i);
  } finally {
    await home.remove();
    execFileSync("umount", ["-l", disk]);
    await rm(disk, { recursive: true, force: true });
  }
});

interface Place {
  filler: string;
  pauseMs: number;
  freeBytes: number;
}

/** One session whose disk is full for a while. Returns what was not as promised. */
async function endure({ api }: DaemonProcess, sessionId: string, place: Place) {
  await api.post(`/sessions/${sessionId}`, { agent: "mock" });
  const talk = new Conversation(api, sessionId);
  const acknowledged: string[] = [];
  const send = async (message: string, messageId: string) => {
    const { status } = await api.request("POST", `${talk.path}/messages`, { message, messageId });
    if (status === 202) acknowledged.push(messageId);
    return status;
  };
  await send("burst 3000 40", "burst");
  await delay(place.pauseMs);
  await fillUpTo(place);
  await send("burst 3000 40", "more");
  // Either there was room for all of it, or the session says that there is none.
  let wasRefused = false;
  const isDecided = async () => {
    wasRefused ||= (await send("echo more", `more-${acknowledged.length}`)) === 507;
    return wasRefused || (await isAtRest(talk));
  };
  await expect.poll(isDecided, { timeout: 60_000, interval: 50 }).toBe(true);
  await rm(place.filler, { force: true });
  const isTaken = async () => (await send("echo after", "after")) === 202;
  await expect.poll(isTaken, { timeout: 60_000, interval: 100 }).toBe(true);
  await expect.poll(() => isAtRest(talk), { timeout: 60_000, interval: 100 }).toBe(true);
  const log = await api.log(sessionId);
  await talk.leave();
  const faults = checkInvariants(log, { finished: false }).map((violation) => JSON.stringify(violation));
  const seen = talk.events.filter(({ sequence }) => sequence <= log.length);
  const changed = seen.filter(({ sequence }, at) => JSON.stringify(log[sequence - 1]) !== JSON.stringify(seen[at]));
  if (changed.length > 0) faults.push(`${changed.length} events were seen and are not in the log`);
  for (const messageId of new Set(acknowledged)) {
    const turns = turnsOf(log, messageId);
    if (turns !== 1) faults.push(`${messageId} was acknowledged and has ${turns} turns`);
  }
  return { faults, wasRefused };
}

async function isAtRest(talk: Conversation): Promise<boolean> {
  const { state, queued } = await talk.view();
  return queued === 0 && (state === "idle" || state === "asleep");
}

function turnsOf(log: readonly UniversalEvent[], messageId: string): number {
  return log.filter(({ type, data }) => type === "turn.started" && data.messageIds.includes(messageId)).length;
}

async function fillUpTo({ filler, freeBytes }: Place): Promise<void> {
  const { bavail, bsize } = await statfs(filler.slice(0, filler.lastIndexOf("/")));
  // A daemon that writes meanwhile may be quicker: then the disk is full all the same.
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes))).catch(() => undefined);
}
