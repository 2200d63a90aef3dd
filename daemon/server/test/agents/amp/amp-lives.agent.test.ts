import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Conversation, checkInvariants } from "@muster/conformance";
import { afterAll, expect } from "vitest";
import type { Talk } from "../agent-home.ts";
import { AmpHome, bash, launchFolders } from "./amp-home.ts";

const { amp, test } = await AmpHome.forFile();

/** What the model was told last; Amp asks its service for other things too. */
const heard = ({ llm }: Talk) => {
  const bodies = llm.requests().map(({ body }) => JSON.stringify(body));
  return bodies.findLast((body) => body.includes('"messages"') && !body.includes("set_title")) ?? "";
};
const ofDaemon = () => launchFolders().filter((name) => name.includes(`-${amp.daemon.pid}-`));

const remembering = { match: { user: "remember" }, text: "I will remember." };
const saying = { match: { user: "what was" }, text: "It was heron.", times: "always" as const };

test("interrupted while the model speaks: the process is another one, and it knows what came before", async () => {
  const slow = { match: { user: "talk" }, text: "word ".repeat(200), pace: { chars: 5, delayMs: 50 } };
  const session = await amp.begin([remembering, slow, saying]);
  await session.talk.say("remember heron");
  const before = amp.processesOf(session);
  const { messageId } = await session.talk.send("talk");
  await expect.poll(() => heard(session), { timeout: 30_000 }).toContain('"talk"');
  await amp.daemon.api.post(`${session.talk.path}/interrupt`);
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({
    status: "interrupted",
    cause: "interrupted_by_user",
  });
  expect((await session.talk.say("what was it?")).text).toBe("It was heron.");
  expect(heard(session)).toContain("remember heron");
  expect(amp.processesOf(session)).not.toEqual(before);
  expect(session.talk.events.filter(({ type }) => type === "session.ended")).toEqual([]);
  await amp.finish(session);
});

test("interrupted in a command, and while a permission waits: nothing of it is left, and the next message is answered", async () => {
  const session = await amp.begin([
    { match: { user: "begin" }, tools: [bash("tail -f /dev/null")] },
    { match: { user: "again" }, tools: [bash("tail -f /dev/zero")] },
    saying,
  ]);
  const running = await session.talk.send("begin");
  const asked = await session.talk.until("permission.requested");
  await amp.reply(session, asked.data.permissionId, "once");
  await expect.poll(() => amp.processesWith("/dev/null").length, { timeout: 30_000 }).toBeGreaterThan(0);
  await amp.daemon.api.post(`${session.talk.path}/interrupt`);
  expect((await session.talk.turnOf(running.messageId)).end.status).toBe("interrupted");
  const waiting = await session.talk.send("again");
  await session.talk.until("permission.requested", ({ title }) => title.includes("zero"));
  await amp.daemon.api.post(`${session.talk.path}/interrupt`);
  expect((await session.talk.turnOf(waiting.messageId)).end.status).toBe("interrupted");
  await session.talk.until("permission.resolved", ({ decision }) => decision === "cancelled");
  expect((await session.talk.say("what was it?")).text).toBe("It was heron.");
  expect(heard(session)).toContain("begin");
  expect(amp.processesWith("/dev/null")).toEqual([]);
  await amp.finish(session);
});

test("killed: the turn has failed, no command and no permission program is left, and the next life knows the first turn", async () => {
  const session = await amp.begin([remembering, { tools: [bash("touch x")], match: { user: "work" } }, saying]);
  await session.talk.say("remember heron");
  // A thread is on disk a second after what was said in it.
  await expect.poll(() => amp.threads(session), { timeout: 30_000 }).toContain("I will remember.");
  const { messageId } = await session.talk.send("work");
  await session.talk.until("permission.requested");
  for (const pid of amp.processesOf(session)) process.kill(pid, "SIGKILL");
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "agent_exited" });
  await expect.poll(() => amp.processesOf(session), { timeout: 30_000 }).toEqual([]);
  expect((await session.talk.say("what was it?")).text).toBe("It was heron.");
  expect(heard(session)).toContain("remember heron");
  await amp.finish(session);
});

test("after a SIGKILL of the daemon the conversation goes on, and what it left behind is removed", async () => {
  const session = await amp.begin([remembering, { tools: [bash("touch x")], match: { user: "work" } }, saying]);
  await session.talk.say("remember heron");
  await expect.poll(() => amp.threads(session), { timeout: 30_000 }).toContain("I will remember.");
  await session.talk.send("work");
  await session.talk.until("permission.requested");
  const left = ofDaemon();
  expect(left).toHaveLength(1);
  await amp.daemon.kill("SIGKILL");
  const { api } = await amp.restart();
  expect(amp.home.agents()).toEqual([]);
  await api.ask("PATCH", session.talk.path, { token: "sgamp_user_test_000" });
  const talk = new Conversation(api, session.talk.sessionId);
  expect((await talk.say("what was it?")).text).toBe("It was heron.");
  expect(heard(session)).toContain("remember heron");
  expect(launchFolders().filter((name) => left.includes(name))).toEqual([]);
  expect(checkInvariants(await api.log(talk.sessionId))).toEqual([]);
  await talk.leave();
  await api.ask("DELETE", talk.path);
});

test("a thread that Amp no longer has begins anew, and the session says so", async () => {
  const session = await amp.begin([remembering, { text: "Whatever.", times: "always" }], {
    limits: { agentIdleMs: 1_000 },
  });
  await session.talk.say("remember heron");
  await session.talk.until("session.updated", ({ agentState }) => agentState === "asleep");
  await rm(join(amp.home.path, ".local/share/amp"), { recursive: true });
  expect((await session.talk.say("what was it?")).text).toBe("Whatever.");
  expect(heard(session)).not.toContain("remember heron");
  await session.talk.until("session.updated", ({ contextLost }) => contextLost === true);
  await amp.finish(session);
});

test("401: the turn fails as refused credentials, although the process ends well, and the session goes on", async () => {
  const refused = { fault: { kind: "status" as const, status: 401 }, times: "always" as const };
  const session = await amp.begin([{ match: { not: { user: "once more" } }, ...refused }, { text: "Now." }]);
  const turn = await session.talk.say("hello");
  expect(turn.end).toMatchObject({ status: "failed", cause: "auth_failed" });
  expect(turn.of("error")).toMatchObject([{ code: "auth_failed", retryable: false }]);
  expect((await session.talk.say("once more")).text).toBe("Now.");
  await amp.finish(session);
});

test("two sessions ask for their own permissions and hear their own answers", async () => {
  const turns = (name: string) => [{ tools: [bash(`touch ${name}`)] }, { text: `This is ${name}.` }];
  const sessions = await Promise.all(["one", "two"].map((name) => amp.begin(turns(name))));
  const sent = await Promise.all(sessions.map(({ talk }) => talk.send("go")));
  const asked = await Promise.all(sessions.map(({ talk }) => talk.until("permission.requested")));
  expect(asked.map(({ data }) => data.title)).toEqual(["Run touch one", "Run touch two"]);
  const replies = ["reject", "once"] as const;
  for (const [index, session] of sessions.entries()) {
    await amp.reply(session, asked[index]?.data.permissionId ?? "", replies[index] ?? "once");
  }
  const ends = await Promise.all(sessions.map(({ talk }, index) => talk.turnOf(sent[index]?.messageId ?? "")));
  expect(ends.map(({ text }) => text)).toEqual(["This is one.", "This is two."]);
  expect(ends.map((turn) => turn.of("permission.resolved")[0]?.decision)).toEqual(["reject", "allow"]);
  for (const session of sessions) await amp.finish(session);
  expect(amp.home.agents()).toEqual([]);
  expect(ofDaemon()).toEqual([]);
});

afterAll(() => {
  expect(ofDaemon()).toEqual([]);
});
