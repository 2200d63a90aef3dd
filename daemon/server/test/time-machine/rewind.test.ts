import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "@muster/conformance";
import type { ForkedSessions, Rewound, UniversalMessage } from "@muster/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";

let home: DaemonHome;
let daemon: DaemonProcess;
beforeEach(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
});
afterEach(async () => {
  await home.remove();
});

const chat = { files: false, chat: true };

/** A session whose mock has heard these, one turn each. */
async function talkOf(...prompts: string[]): Promise<Conversation> {
  const talk = await Conversation.open(daemon.api, {});
  for (const prompt of prompts) await talk.say(prompt);
  return talk;
}

const rewind = (talk: Conversation, body: object) => daemon.api.post<Rewound>(`${talk.path}/rewind`, body);

it("a rewind takes the later turns out of the agent's memory, and leaves them in the log", async () => {
  const talk = await talkOf("echo one", "echo two", "echo three", "echo four");
  const answer = await rewind(talk, { to: 2, ...chat });
  expect(answer).toMatchObject({ changes: [], conflicts: [], turns: ["turn_3", "turn_4"] });
  expect(answer.undo).toMatch(/^rw_/);
  const told = await talk.say("history");
  expect(told.text).toContain("echo two");
  expect(told.text).not.toContain("echo three");
  const { messages } = await daemon.api.get<{ messages: UniversalMessage[] }>(`${talk.path}/messages`);
  const rewound = messages.flatMap((message) =>
    message.rewound && message.role === "user" ? [message.parts.map((part) => ("text" in part ? part.text : ""))] : [],
  );
  expect(rewound).toEqual([["echo three"], ["echo four"]]);
  await talk.finish();
});

it("a rewind can be undone until a turn begins", async () => {
  const talk = await talkOf("echo one", "echo two", "echo three");
  const { undo } = await rewind(talk, { to: 1, ...chat });
  const other = await daemon.api.request("POST", `${talk.path}/rewind/undo`, { undo: "rw_other" });
  expect(other).toMatchObject({ status: 409, body: { code: "nothing_to_undo" } });
  await daemon.api.post(`${talk.path}/rewind/undo`, { undo });
  expect((await talk.say("history")).text).toContain("echo three");
  const late = await daemon.api.request("POST", `${talk.path}/rewind/undo`, {});
  expect(late).toMatchObject({ status: 409, body: { code: "nothing_to_undo" } });
  await talk.finish();
});

it("turn 0 is the beginning, and a turn that was rewound is none any more", async () => {
  const talk = await talkOf("echo one", "echo two");
  await rewind(talk, { to: 0, ...chat });
  expect((await talk.say("history")).text).not.toContain("echo");
  const gone = await daemon.api.request("POST", `${talk.path}/rewind`, { to: 2, ...chat });
  expect(gone).toMatchObject({ status: 404, body: { code: "turn_not_found", turns: [3] } });
  const never = await daemon.api.request("POST", `${talk.path}/rewind`, { to: 9, ...chat });
  expect(never.status).toBe(404);
  await talk.finish();
});

it("a preview changes nothing", async () => {
  const talk = await talkOf("echo one", "echo two");
  const before = await daemon.api.log(talk.sessionId);
  const preview = await rewind(talk, { to: 1, ...chat, preview: true });
  expect(preview).toEqual({ changes: [], conflicts: [], turns: ["turn_2"] });
  expect(await daemon.api.log(talk.sessionId)).toEqual(before);
  await talk.finish();
});

it("a session with a turn, a request or messages that wait is not rewound, unless they are ended first", async () => {
  const talk = await talkOf("echo one");
  const { messageId } = await talk.send("permission make");
  await talk.until("permission.requested");
  const { messageId: queued } = await talk.send("echo queued");
  const busy = await daemon.api.request("POST", `${talk.path}/rewind`, { to: 1, ...chat });
  expect(busy).toMatchObject({ status: 409, body: { code: "session_busy" } });
  await rewind(talk, { to: 1, ...chat, interrupt: true });
  expect((await talk.turnOf(messageId)).end).toMatchObject({ status: "interrupted" });
  const log = await daemon.api.log(talk.sessionId);
  const fate = log.findLast((event) => event.type === "message.updated" && event.data.messageId === queued);
  expect(fate?.data).toMatchObject({ status: "cancelled" });
  expect((await talk.say("history")).text).not.toContain("permission make");
  await talk.finish();
});

it("rules of rewound turns are gone, costs and usage stay, and a rewound message needs a new id", async () => {
  const talk = await talkOf("echo one");
  const { messageId } = await talk.send("permission make", { messageId: "asked" });
  const { permissionId } = (await talk.until("permission.requested")).data;
  await daemon.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply: "always" });
  await talk.turnOf(messageId);
  const spent = await talk.view();
  await rewind(talk, { to: 1, ...chat });
  expect(await talk.view()).toMatchObject({ usage: spent.usage, costUsd: spent.costUsd });
  const again = await daemon.api.request("POST", `${talk.path}/messages`, {
    message: "permission make",
    messageId: "asked",
  });
  expect(again).toMatchObject({ status: 409, body: { code: "message_conflict" } });
  const { messageId: later } = await talk.send("permission make");
  const { sequence } = await talk.until("turn.started", ({ messageIds }) => messageIds.includes(later));
  const asked = await talk.until("permission.requested", () => true, sequence);
  expect(asked.data).toMatchObject({ action: "execute" });
  expect(asked.data.permissionId).not.toBe(permissionId);
  await daemon.api.post(`${talk.path}/permissions/${asked.data.permissionId}/reply`, { reply: "always" });
  await talk.turnOf(later);
  // A rule that holds answers by itself, so the one above was gone.
  await talk.say("permission make");
  const log = await daemon.api.log(talk.sessionId);
  const answers = log.flatMap((event) => (event.type === "permission.resolved" ? [event.data.by] : []));
  expect(answers).toEqual(["user", "user", "rule"]);
  await talk.finish();
});

describe.each(["SIGKILL", "SIGTERM"] as const)("after %s", (signal) => {
  it("a rewind holds, and so does its undo", async () => {
    const talk = await talkOf("echo one", "echo two", "echo three");
    await rewind(talk, { to: 1, ...chat });
    await daemon.kill(signal);
    daemon = await home.start();
    const again = new Conversation(daemon.api, talk.sessionId);
    expect((await again.say("history")).text).not.toContain("echo two");
    await rewind(again, { to: 1, ...chat });
    await daemon.api.post(`${again.path}/rewind/undo`, {});
    await daemon.kill(signal);
    daemon = await home.start();
    const third = new Conversation(daemon.api, talk.sessionId);
    expect((await third.say("history")).text).toContain("history");
    await third.finish();
  });
});

it("a fork goes on from its turn, with the log before it, and outlives what it was forked from", async () => {
  const talk = await talkOf("echo one", "echo two", "echo three");
  const before = await daemon.api.log(talk.sessionId);
  const forked = await daemon.api.post<ForkedSessions>(`${talk.path}/fork`, { at: 2, sessionId: "way", times: 2 });
  expect(forked.sessions.map(({ session }) => session.sessionId)).toEqual(["way", "way-2"]);
  const fork = new Conversation(daemon.api, "way");
  expect((await fork.say("history")).text).not.toContain("echo three");
  expect((await talk.say("history")).text).toContain("echo three");
  await talk.leave();
  await daemon.api.ask("DELETE", talk.path);
  const log = await daemon.api.log("way");
  const at = log.findIndex(({ type }) => type === "session.forked");
  expect(log.slice(0, at)).toEqual(before.slice(0, at));
  expect(log[at]).toMatchObject({ sequence: at + 1, sessionId: "way", data: { from: talk.sessionId, at: 2 } });
  expect(log.slice(0, at).every(({ sessionId }) => sessionId === talk.sessionId)).toBe(true);
  expect(log.slice(at).every(({ sessionId }) => sessionId === "way")).toBe(true);
  await daemon.kill("SIGKILL");
  daemon = await home.start();
  const other = new Conversation(daemon.api, "way-2");
  expect((await other.say("history")).text).toContain("echo two");
  expect((await other.say("history")).text).not.toContain("echo three");
  await other.finish();
  const again = new Conversation(daemon.api, "way");
  expect((await again.say("echo on")).end.status).toBe("completed");
  await again.finish();
});

it("a fork of a turn that never was, or under an id that is taken, is refused and leaves nothing", async () => {
  const talk = await talkOf("echo one");
  const never = await daemon.api.request("POST", `${talk.path}/fork`, { at: 5, sessionId: "x" });
  expect(never).toMatchObject({ status: 404, body: { code: "turn_not_found" } });
  const taken = await daemon.api.request("POST", `${talk.path}/fork`, { sessionId: talk.sessionId });
  expect(taken).toMatchObject({ status: 409, body: { code: "session_exists" } });
  expect((await daemon.api.request("GET", "/sessions/x")).status).toBe(404);
  const there = join(home.path, "there");
  await mkdir(there);
  await writeFile(join(there, "mine"), "mine");
  const full = await daemon.api.request("POST", `${talk.path}/fork`, { directory: there });
  expect(full).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  expect(await readFile(join(there, "mine"), "utf8")).toBe("mine");
  await talk.finish();
});
