import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "@muster/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
let client: Client;
beforeEach(async () => {
  home = await DaemonHome.make();
  await start();
});
afterEach(() => home.remove());

async function start(): Promise<void> {
  daemon = await home.start();
  client = createClient({ endpoint: daemon.api.baseUrl });
}
const create = (sessionId: string, more: object = {}) => client.sessions.create({ sessionId, agent: "mock", ...more });
/** Sends a message and waits for the end of its turn. */
async function say(sessionId: string, message: string): Promise<void> {
  for await (const _ of client.sessions.streamMessage({ sessionId, message }));
}
const listed = async (query: object) => (await client.sessions.list(query)).sessions.map(({ sessionId }) => sessionId);
const usedAt = async (sessionId: string) => (await client.sessions.get({ sessionId })).lastUsedAt;
/** Resolves when the session is in this state. */
async function untilState(sessionId: string, state: string): Promise<void> {
  while ((await client.sessions.get({ sessionId })).state !== state);
}

it("an agent that falls asleep does not make its session the last used", async () => {
  await create("early", { limits: { agentIdleMs: 50 } });
  await say("early", "echo A");
  await create("late");
  await say("late", "echo B");
  const before = await client.sessions.get({ sessionId: "early" });
  await untilState("early", "asleep");
  const after = await client.sessions.get({ sessionId: "early" });
  expect(after.lastUsedAt).toBe(before.lastUsedAt);
  expect(await listed({ order: "used" })).toEqual(["late", "early"]);
  expect(await listed({ order: "updated" })).toEqual(["late", "early"]);
});

it("a stop, a kill and lost files change nothing about which session was used last", async () => {
  for (const id of ["a", "b", "c"]) await create(id);
  for (const id of ["a", "c", "b"]) await say(id, `echo ${id}`);
  const times = await Promise.all(["a", "b", "c"].map(usedAt));
  const isSame = async () => {
    expect(await listed({ order: "used" })).toEqual(["b", "c", "a"]);
    // An event that is read again has the time of its write, which may be a moment after it was folded.
    const now = await Promise.all(["a", "b", "c"].map(usedAt));
    for (const [at, time] of now.entries()) expect(Date.parse(time) - Date.parse(times[at] ?? "")).toBeLessThan(1_000);
  };
  await daemon.kill("SIGTERM");
  await start();
  await isSame();
  await daemon.kill("SIGKILL");
  await start();
  await isSame();
  await daemon.kill("SIGTERM");
  await rm(join(home.dataDirectory, "sessions.jsonl"));
  await loseCheckpoints();
  await start();
  await isSame();
});

it("an answer uses a session, and whoever waits for a person comes first in the list that asks for it", async () => {
  for (const id of ["asks", "other"]) await create(id);
  await client.sessions.sendMessage({ sessionId: "asks", message: "permission touch a" });
  await untilState("asks", "waiting");
  const asked = await usedAt("asks");
  await say("other", "echo later");
  expect(await listed({ order: "used" })).toEqual(["other", "asks"]);
  expect(await listed({ order: "waiting" })).toEqual(["asks", "other"]);
  expect(await listed({ order: "waiting", limit: 1 })).toEqual(["asks"]);
  expect(await listed({ order: "waiting", after: "asks" })).toEqual(["other"]);
  expect(await listed({ order: "waiting", after: "other" })).toEqual([]);
  const { permissions } = await client.sessions.listRequests({ sessionId: "asks" });
  await client.sessions.replyPermission({
    sessionId: "asks",
    permissionId: permissions[0]?.permissionId ?? "",
    reply: "once",
  });
  await untilState("asks", "idle");
  expect((await usedAt("asks")) > asked).toBe(true);
  expect(await listed({ order: "used" })).toEqual(["asks", "other"]);
});

it("a session is named by its title, or else by the first message in one line, without secrets", async () => {
  const key = "sk-ant-0123456789abcdef0123";
  await create("titled", { title: "The parser" });
  await create("plain", { token: "a-token-of-the-session" });
  await say("titled", "echo one");
  await say("plain", `echo two\n  lines with ${key} and a-token-of-the-session ${"x".repeat(300)}`);
  await say("plain", "echo the second message");
  const names = async () => {
    const { sessions } = await client.sessions.list({});
    return sessions.map(({ title, name }) => ({ title, name }));
  };
  const expected = [
    { title: "The parser", name: "The parser" },
    {
      title: undefined,
      name: expect.stringMatching(/^echo two lines with \[redacted\] and \[redacted\] x+…$/),
    },
  ];
  expect(await names()).toEqual(expected);
  expect((await names())[1]?.name).toHaveLength(120);
  await daemon.kill("SIGTERM");
  await start();
  expect(await names()).toEqual(expected);
});

/** What a crash in the wrong moment, or a damaged disk, leaves: the log alone. */
async function loseCheckpoints(): Promise<void> {
  const folder = join(home.dataDirectory, "sessions");
  for (const name of await readdir(folder)) {
    const path = join(folder, name, "session.json");
    const { checkpoint: _, ...file } = JSON.parse(await readFile(path, "utf8"));
    await writeFile(path, JSON.stringify({ ...file, checkpoint: { sequence: -1 } }));
  }
}
