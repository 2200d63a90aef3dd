import { Conversation } from "@muster/conformance";
import type { SentMessage, Session, UniversalEvent } from "@muster/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;
beforeEach(async () => {
  home = await DaemonHome.make();
});
afterEach(async () => {
  await home.remove();
});

describe.each(["SIGKILL", "SIGTERM"] as const)("after %s", (signal) => {
  it("a granted permission is still granted, a message id still known, a deleted session still deleted", async () => {
    const first = await home.start();
    const talk = await Conversation.open(first.api, { title: "kept", limits: { turnIdleMs: 20_000 } });
    const { messageId } = await talk.send("permission make");
    const { permissionId } = (await talk.until("permission.requested")).data;
    await first.api.post(`${talk.path}/permissions/${permissionId}/reply`, { reply: "always" });
    await talk.turnOf(messageId);
    const sent = await talk.send("echo once", { messageId: "known" });
    await talk.turnOf("known");
    await first.api.ask("PATCH", talk.path, { model: "mock-large" });
    await first.api.post("/sessions/gone", { agent: "mock" });
    await first.api.ask("DELETE", "/sessions/gone");
    const seen = await first.api.log(talk.sessionId);
    await first.kill(signal);

    const { api } = await home.start();
    const again = new Conversation(api, talk.sessionId);
    expect(await again.view()).toMatchObject({ title: "kept", model: "mock-large", queued: 0, pendingRequests: 0 });
    expect(await again.send("echo once", { messageId: "known" })).toEqual(sent);
    const conflict = await api.request("POST", `${talk.path}/messages`, { message: "other", messageId: "known" });
    expect(conflict).toMatchObject({ status: 409, body: { code: "message_conflict" } });
    const late = await api.request("POST", `${talk.path}/permissions/${permissionId}/reply`, { reply: "once" });
    expect(late).toMatchObject({ status: 409, body: { code: "already_resolved" } });
    const granted = await again.say("permission make");
    expect(granted.of("permission.resolved")).toMatchObject([{ decision: "allow", by: "rule" }]);
    expect((await again.say("history")).text).toContain("echo once");
    expect((await again.say("settings")).text).toContain("model mock-large");
    expect(again.events.slice(0, seen.length)).toEqual(seen);
    expect((await api.request("GET", "/sessions/gone")).status).toBe(410);
    expect((await api.request("POST", "/sessions/gone", { agent: "mock" })).status).toBe(409);
    const { sessions } = await api.get<{ sessions: Session[] }>("/sessions");
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([talk.sessionId]);
    await again.finish();
  });
});

it("a create that is repeated after a crash finds its session", async () => {
  const first = await home.start();
  await first.api.post("/sessions/same", { agent: "mock", title: "One" });
  await first.kill("SIGKILL");
  const { api } = await home.start();
  expect((await api.request("POST", "/sessions/same", { agent: "mock", title: "One" })).status).toBe(200);
  expect((await api.request("POST", "/sessions/same", { agent: "mock", title: "Two" })).status).toBe(409);
});

it("a long queue is there after a crash, whole and in order, and goes on", async () => {
  const first = await home.start();
  await first.api.post("/sessions/busy", { agent: "mock" });
  await first.api.post("/sessions/busy/messages", { message: "hang", messageId: "hang" });
  const wanted: string[] = [];
  for (let number = 0; number < 200; number += 50) {
    const ids = Array.from({ length: 50 }, (_, at) => `m${number + at}`);
    const sent = ids.map((messageId) =>
      first.api.post<SentMessage>("/sessions/busy/messages", { message: `echo ${messageId}`, messageId }),
    );
    const answers = await Promise.all(sent);
    answers.sort((one, other) => one.sequence - other.sequence);
    wanted.push(...answers.map(({ messageId }) => messageId));
  }
  await first.kill("SIGKILL");

  const { api } = await home.start();
  const talk = new Conversation(api, "busy");
  expect(await talk.turnOf("hang")).toMatchObject({ end: { cause: "daemon_restarted" } });
  await talk.turnOf(wanted.at(-1) ?? "");
  const started = talk.events.flatMap((event) => (event.type === "turn.started" ? event.data.messageIds : []));
  expect(started).toEqual(["hang", ...wanted]);
  await talk.finish();
});

describe.each([
  ["sync", ["--durability", "sync"]],
  ["none", ["--durability", "none"]],
])("with durability %s", (mode, args) => {
  it("a conversation is the same", async () => {
    const other = await DaemonHome.make({ args: ["--no-token", ...args] });
    try {
      const { api } = await other.start();
      expect(await api.get("/")).toMatchObject({ durability: mode });
      const talk = await Conversation.open(api);
      const sent: SentMessage[] = [];
      for (const text of ["burst 500", "tool", "echo three"]) sent.push(await talk.send(text));
      for (const { messageId } of sent) expect((await talk.turnOf(messageId)).end.status).toBe("completed");
      await talk.finish();
    } finally {
      await other.remove();
    }
  });
});

it("with --no-raw no agent's own message is kept", async () => {
  const other = await DaemonHome.make({ args: ["--no-token", "--no-raw"] });
  try {
    const { api } = await other.start();
    const talk = await Conversation.open(api);
    await talk.say("echo quiet");
    const { events } = await api.get<{ events: UniversalEvent[] }>(`${talk.path}/events?raw=true`);
    expect(events.length).toBeGreaterThan(5);
    expect(events.filter(({ raw }) => raw !== null)).toEqual([]);
    await talk.finish();
  } finally {
    await other.remove();
  }
});

it("a stream says every 15 seconds how far it is", async () => {
  const { api } = await home.start();
  const talk = await Conversation.open(api);
  await talk.say("echo hello");
  const { lastSequence } = await talk.view();
  const { body } = await fetch(`${api.baseUrl}${talk.path}/events/sse?offset=${lastSequence}`);
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.endsWith("\n\n")) break;
  }
  expect(text).toBe(`: ${lastSequence}\n\n`);
  await talk.finish();
});
