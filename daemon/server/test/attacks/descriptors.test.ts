import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tell } from "@muster/chaos";
import { type Answered, Conversation } from "@muster/conformance";
import type { CreatedSession, Problem } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

const onLinux = it.runIf(process.platform === "linux");

onLinux("a process that may open 64 files says so in one line", async () => {
  const home = await DaemonHome.make({ within: ["prlimit", "--nofile=64:64"] });
  try {
    const failed = (await home.start().catch((error: unknown) => error)) as Error;
    expect(failed.message).toMatch(/^The daemon ended with 1: [^\n]*may open [^\n]*ulimit -n 4096\n$/);
  } finally {
    await home.remove();
  }
});

onLinux("with 1 to 40 free descriptors a create succeeds or fails, and the daemon lives on", async () => {
  const home = await DaemonHome.make();
  try {
    const daemon = await home.start();
    const healthy = await Conversation.open(daemon.api);
    await healthy.say("echo before");
    for (let free = 1; free <= 40; free++) {
      leaveFree(daemon, free);
      const answer = await tryCreate(daemon, `with-${free}`);
      limit(daemon, 4096);
      expect([free, isHonest(answer)]).toEqual([free, true]);
      expect([free, (await daemon.api.request("GET", "/health")).status]).toEqual([free, 200]);
      await daemon.api.request("DELETE", `/sessions/with-${free}`);
    }
    expect((await healthy.say("echo after")).text).toBe("after");
    await healthy.finish();
    const fresh = await Conversation.open(daemon.api);
    expect((await fresh.say("echo new")).text).toBe("new");
    await fresh.finish();
    expect(daemon.stderr).not.toContain("Unhandled");
    tell({ fault: "a create with 1 to 40 free descriptors", tried: 40, held: 40 });
  } finally {
    await home.remove();
  }
});

onLinux("silent connections keep nobody out, and sessions are refused before files run out", async () => {
  const args = ["--token", "right-token"];
  const home = await DaemonHome.make({ args, within: ["prlimit", "--nofile=160:160"] });
  const idle: Socket[] = [];
  try {
    const daemon = await home.start();
    daemon.useToken("right-token");
    const { port } = new URL(daemon.api.baseUrl);
    for (let count = 0; count < 200; count++) idle.push(await openIdle(Number(port)));
    expect((await daemon.api.request("GET", "/agents")).status).toBe(200);

    const talks: Conversation[] = [];
    const refused = async (): Promise<Problem> => {
      for (let count = 0; count < 60; count++) {
        const answer = await daemon.api.request<Problem>("POST", `/sessions/s${count}`, { agent: "mock" });
        if (answer.status !== 201) return answer.body;
        expect(answer.body).toMatchObject({ healthy: true });
        talks.push(new Conversation(daemon.api, `s${count}`));
      }
      throw new Error("no session was refused");
    };
    expect(await refused()).toMatchObject({ code: "too_many_sessions", status: 503 });
    expect(talks.length).toBeGreaterThan(2);
    for (const talk of talks) expect((await talk.say("echo room")).text).toBe("room");
    expect((await daemon.api.request("POST", "/sessions/s0", { agent: "mock" })).status).toBe(200);
    for (const talk of talks) await talk.finish();
    for (const talk of talks) await daemon.api.request("DELETE", `/sessions/${talk.sessionId}`);
    expect((await daemon.api.request("POST", "/sessions/again", { agent: "mock" })).status).toBe(201);
  } finally {
    for (const socket of idle) socket.destroy();
    await home.remove();
  }
});

onLinux("streams that take the last descriptors are refused, those that are open get every event", async () => {
  const home = await DaemonHome.make({ within: ["prlimit", "--nofile=160:160"] });
  const streams: { leave: AbortController; text: Promise<string> }[] = [];
  try {
    const daemon = await home.start();
    const talk = await Conversation.open(daemon.api);
    const path = `${daemon.api.baseUrl}${talk.path}/events/sse`;
    const statuses: number[] = [];
    for (let count = 0; count < 120; count++) {
      const leave = new AbortController();
      // A connection that is cut off at once is a refusal too.
      const answer = await fetch(path, { signal: leave.signal }).catch(() => undefined);
      statuses.push(answer?.status ?? 0);
      if (answer?.status === 200) streams.push({ leave, text: readUntil(answer, '"turn.ended"') });
      else leave.abort();
    }
    expect(streams.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status === 200)).toHaveLength(streams.length);
    for (const status of new Set(statuses)) expect([0, 200, 429, 503]).toContain(status);
    expect(statuses.at(-1)).not.toBe(200);
    for (const { leave, text } of streams.splice(0, 5)) {
      leave.abort();
      await text.catch(() => {});
    }
    const send = () => daemon.api.request("POST", `${talk.path}/messages`, { message: "burst 500", messageId: "m" });
    await expect.poll(async () => (await send().catch(() => undefined))?.status, { timeout: 30_000 }).toBe(202);
    const counts = (await Promise.all(streams.map(({ text }) => text))).map((text) => text.match(/^id: /gm)?.length);
    for (const { leave } of streams) leave.abort();
    // Their connections are gone a moment later than they are left; until then this is one too many.
    const last = async () => {
      const log = await daemon.api.log(talk.sessionId).catch(() => []);
      return log.find(({ type }) => type === "turn.ended")?.sequence;
    };
    await expect.poll(async () => new Set([await last()]), { timeout: 30_000 }).toEqual(new Set(counts));
    expect(daemon.stderr).not.toMatch(/Unhandled|uncaught/i);
  } finally {
    for (const { leave } of streams) leave.abort();
    await home.remove();
  }
});

/** Everything up to the first chunk that has this word in it. */
async function readUntil(answer: Response, word: string): Promise<string> {
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes(word)) break;
  }
  return text;
}

/** A connection that was refused is an answer too: the daemon had no descriptor for it. */
async function tryCreate({ api }: DaemonProcess, id: string): Promise<Answered<CreatedSession & Problem> | "refused"> {
  try {
    return await api.request("POST", `/sessions/${id}`, { agent: "mock" });
  } catch {
    return "refused";
  }
}

function isHonest(answer: Answered<CreatedSession & Problem> | "refused"): boolean | object {
  if (answer === "refused") return true;
  const { status, body } = answer;
  if (status === 201) return body.healthy || body.error !== undefined;
  return (
    (status === 503 && body.code === "too_many_sessions") || (status === 507 && body.code === "storage_full") || answer
  );
}

/** Only numbers below the limit can be given out, so the gaps among the open ones count. */
function leaveFree(daemon: DaemonProcess, free: number): void {
  const open = new Set(readdirSync(`/proc/${daemon.pid}/fd`).map(Number));
  let bound = 0;
  for (let gaps = 0; gaps < free; bound++) if (!open.has(bound)) gaps++;
  limit(daemon, bound);
}

function limit({ pid }: DaemonProcess, bound: number): void {
  execFileSync("prlimit", [`--pid=${pid}`, `--nofile=${bound}:`]);
}

function openIdle(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.on("error", () => resolve(socket));
    socket.resume();
  });
}
