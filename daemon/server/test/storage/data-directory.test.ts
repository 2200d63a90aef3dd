import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import type { Session } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome, DaemonProcess } from "../daemon-process.ts";

it("a second daemon on the same data directory refuses and leaves the first alone", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    const env = { PATH: process.env.PATH ?? "", HOME: home.path };
    const second = new DaemonProcess(["--port", "0", "--no-token", "--data-dir", home.dataDirectory], env);
    await expect(second.ready).rejects.toThrow(new RegExp(`in use by process ${first.pid}`));
    expect((await second.exited).code).toBe(1);
    const talk = await Conversation.open(first.api);
    expect((await talk.say("echo still mine")).text).toBe("still mine");
    await talk.finish();
  } finally {
    await home.remove();
  }
});

it("20,000 old sessions are listed in order and each can be read and continued", async () => {
  const home = await DaemonHome.make();
  const count = 20_000;
  try {
    const sample = await oldSession(home);
    const ids = Array.from({ length: count }, (_, index) => `old-${String(index).padStart(5, "0")}`);
    await copies(home, sample, ids);
    const { api } = await home.start();
    const listed: Session[] = [];
    for (let hasMore = true; hasMore; ) {
      const after = listed.at(-1)?.sessionId;
      const page = await api.get<{ sessions: Session[]; hasMore: boolean }>(
        `/sessions?limit=1000${after === undefined ? "" : `&after=${after}`}`,
      );
      listed.push(...page.sessions);
      ({ hasMore } = page);
    }
    expect(listed.map(({ sessionId }) => sessionId).filter((sessionId) => sessionId !== sample)).toEqual(ids);
    expect(listed.every(({ state, lastSequence }) => state === "ended" && lastSequence > 0)).toBe(true);
    const talk = new Conversation(api, "old-12345");
    expect((await talk.say("echo after all this time")).text).toBe("after all this time");
    await talk.finish();
    expect((await api.request("GET", "/sessions/old-12345")).status).toBe(410);
    expect(await api.get("/sessions?limit=2&after=old-12344")).toMatchObject({
      sessions: [{ sessionId: "old-12346" }, { sessionId: "old-12347" }],
    });
  } finally {
    await home.remove();
  }
}, 240_000);

it("a log cut off in the middle of an event that was seen says so, and goes on behind it", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    await talk.say("echo one two three");
    await first.kill("SIGKILL");
    const folder = join(home.dataDirectory, "sessions", talk.sessionId);
    const [segment = ""] = (await readdir(folder)).filter((name) => name.startsWith("events-"));
    const bytes = await readFile(join(folder, segment));
    // In the middle of the last event, which is followed by its seal.
    await truncate(join(folder, segment), bytes.lastIndexOf("\n", bytes.length - 2) - 10);
    const second = await home.start();
    const { api } = second;
    const again = new Conversation(api, talk.sessionId);
    await again.until("turn.ended");
    const kept = again.events.filter(({ sequence }) => sequence < talk.events.length);
    expect(kept).toEqual(talk.events.slice(0, -1));
    const lost = talk.events.length;
    expect(again.events.find(({ sequence }) => sequence === lost)).toMatchObject({
      type: "log.damaged",
      data: { from: lost, to: lost, keptAs: expect.stringMatching(/^events-\d+\.jsonl\.cut-at-\d+$/) },
    });
    expect((await again.say("echo four")).text).toBe("four");
    const told = second.stderr.split("\n").find((line) => line.includes("was cut off"));
    expect(told).toContain(`"afterSequence":${talk.events.length}`);
    expect(told).toContain('"cutBytes":');
    await again.finish();
  } finally {
    await home.remove();
  }
});

it("a message whose turn was cut out of the log is not lost", async () => {
  const home = await DaemonHome.make();
  try {
    const first = await home.start();
    const talk = await Conversation.open(first.api);
    await talk.send("slow 60000", { messageId: "torn" });
    await talk.until("turn.started");
    await first.kill("SIGKILL");
    const folder = join(home.dataDirectory, "sessions", talk.sessionId);
    const [segment = ""] = (await readdir(folder)).filter((name) => name.startsWith("events-"));
    const text = await readFile(join(folder, segment), "utf8");
    // As a power loss can leave it: the message is given, the turn it was given to has no beginning.
    await truncate(join(folder, segment), Buffer.byteLength(text.slice(0, lineWith(text, '"turn.started"'))));
    const { api } = await home.start();
    const again = new Conversation(api, talk.sessionId);
    await again.say("echo next");
    expect(checkInvariants(await api.log(talk.sessionId))).toEqual([]);
    await again.leave();
  } finally {
    await home.remove();
  }
});

it("a full disk stops the session it concerns with 507; the daemon and the other sessions go on", async (context) => {
  const disk = await mkdtemp(join(tmpdir(), "muster-full-disk-"));
  const home = await DaemonHome.make({ dataDirectory: join(disk, "data") });
  let isMounted = false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], { stdio: "pipe" });
    isMounted = true;
  } catch {
    await home.remove();
    await rm(disk, { recursive: true });
    return context.skip("mounting a small disk needs root");
  }
  try {
    const { api } = await home.start();
    const talk = await Conversation.open(api);
    const other = await Conversation.open(api);
    await other.say("echo before");
    await talk.send("burst 200000 50");
    const refused = () => api.request("POST", `${talk.path}/messages`, { message: "echo more" });
    await expect.poll(async () => (await refused()).status, { timeout: 30_000 }).toBe(507);
    expect((await refused()).body).toMatchObject({ code: "storage_full", sessionId: talk.sessionId });
    await expect.poll(() => home.agents().length, { timeout: 15_000 }).toBe(1);
    expect(await api.get("/health")).toEqual({ status: "ok" });
    const stored = await api.log(talk.sessionId);
    expect(checkInvariants(stored, { finished: false })).toEqual([]);
    expect(talk.events).toEqual(stored.slice(0, talk.events.length));

    await fill(join(disk, "filler"));
    const created = await api.request("POST", "/sessions/no-room", { agent: "mock" });
    expect(created).toMatchObject({ status: 507, body: { code: "storage_full" } });
    expect((await api.request("GET", "/sessions/no-room")).status).toBe(404);
    expect((await api.request("DELETE", talk.path)).status).toBe(204);
    expect((await api.request("GET", talk.path)).status).toBe(410);
    await rm(join(disk, "filler"));
    expect((await other.say("echo after")).text).toBe("after");
    await other.finish();
  } finally {
    await home.remove();
    if (isMounted) execFileSync("umount", [disk]);
    await rm(disk, { recursive: true, force: true });
  }
});

/** Takes all the room there is left. */
async function fill(path: string): Promise<void> {
  for (const size of [64 * 1024, 4 * 1024, 512, 1]) {
    try {
      for (;;) await appendFile(path, Buffer.alloc(size));
    } catch {
      // Nothing of this size fits any more.
    }
  }
}

/** One session that has ended, as the daemon leaves it on disk. Returns its id. */
async function oldSession(home: DaemonHome): Promise<string> {
  const daemon = await home.start();
  const talk = await Conversation.open(daemon.api);
  await talk.say("echo once upon a time");
  await daemon.api.post(`${talk.path}/terminate`);
  await talk.leave();
  await daemon.kill("SIGTERM");
  return talk.sessionId;
}

async function copies(home: DaemonHome, sample: string, ids: string[]): Promise<void> {
  const sessions = join(home.dataDirectory, "sessions");
  const names = (await readdir(join(sessions, sample))).filter(
    (name) => name.endsWith(".json") || name.startsWith("events-"),
  );
  const files = await Promise.all(
    names.map(async (name) => ({ name, text: asFormat1(await readFile(join(sessions, sample, name), "utf8")) })),
  );
  for (let start = 0; start < ids.length; start += 500) {
    await Promise.all(
      ids.slice(start, start + 500).map(async (sessionId, offset) => {
        await mkdir(join(sessions, sessionId));
        const createdAt = new Date(Date.UTC(2020, 0, 1) + (start + offset) * 1000).toISOString();
        for (const { name, text } of files) {
          const own = text.replaceAll(sample, sessionId);
          await writeFile(
            join(sessions, sessionId, name),
            own.replace(/"createdAt":"[^"]*"/, `"createdAt":"${createdAt}"`),
          );
        }
      }),
    );
  }
}

/** A log as daemons up to 0.1 wrote it; its copies need no checksums of their own. Other files stay as they are. */
function asFormat1(text: string): string {
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  return lines.join("\n").replace(/^\{"format":2,(.*?),"epoch":.*?\}\n/, '{"format":1,$1}\n');
}

/** Where the first line with this text begins. */
function lineWith(text: string, part: string): number {
  return text.lastIndexOf("\n", text.indexOf(part)) + 1;
}
