import type { CreatedSession } from "@muster/schema";
import { expect, it, vi } from "vitest";
import type { DaemonApi } from "./api.ts";
import { Conversation, conversationTests } from "./conversation.ts";

/** Starting, sleeping, waking, being replaced, failing to start. */
export function lifeTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  inConversation(
    "an idle agent is put to sleep and woken by the next message, with its memory",
    async (talk) => {
      await talk.say("echo remember me");
      const { sequence } = await talk.until("session.updated", ({ agentState }) => agentState === "asleep");
      expect(await talk.view()).toMatchObject({ state: "asleep" });
      expect((await talk.say("history")).text).toContain("remember me");
      const ready = await talk.until("session.updated", ({ agentState }) => agentState === "ready", sequence);
      expect(ready.data.contextLost).toBeUndefined();
      expect(talk.events.filter(({ type }) => type === "session.started")).toHaveLength(1);
      expect(talk.events.filter(({ type }) => type === "session.ended")).toHaveLength(0);
    },
    { limits: { agentIdleMs: 250 } },
  );

  inConversation(
    "an agent that waits for a person is not put to sleep",
    async (talk) => {
      const { messageId } = await talk.send("question");
      const { data } = await talk.until("question.requested");
      await new Promise((resolve) => setTimeout(resolve, 800));
      expect(await talk.view()).toMatchObject({ state: "waiting" });
      await api().post(`${talk.path}/questions/${data.questionId}/reply`, { answers: [["Red"]] });
      expect((await talk.turnOf(messageId)).end.status).toBe("completed");
      await talk.until("session.updated", ({ agentState }) => agentState === "asleep");
    },
    { limits: { agentIdleMs: 200 } },
  );

  inConversation("item ids and turn ids go on over lives", async (talk) => {
    await talk.say("echo a");
    await api().post(`${talk.path}/terminate`);
    await talk.say("tool");
    await talk.say("crash");
    expect((await talk.say("echo b")).end.turnId).toBe("turn_4");
  });

  inConversation("terminate twice is one end", async (talk) => {
    await Promise.all([api().post(`${talk.path}/terminate`), api().post(`${talk.path}/terminate`)]);
    await api().post(`${talk.path}/terminate`);
    await talk.say("echo up again");
    expect(talk.events.filter(({ type }) => type === "session.ended")).toHaveLength(1);
  });

  inConversation("an agent that does not obey an interrupt is replaced", async (talk) => {
    const { messageId } = await talk.send("hang");
    await talk.until("turn.started");
    expect((await api().request("POST", `${talk.path}/interrupt`)).status).toBe(204);
    const { end } = await talk.turnOf(messageId);
    expect(end.status).toBe("interrupted");
    expect(["agent_unresponsive", "interrupted_by_user"]).toContain(end.cause);
    expect((await talk.say("echo new process")).text).toBe("new process");
  });

  inConversation("PATCH changes a running agent, and what needs a new process takes one", async (talk) => {
    const patch = (body: object) => api().request<Record<string, unknown>>("PATCH", talk.path, body);
    const renamed = await patch({ title: "A name", model: "mock-large", permissionMode: "acceptEdits" });
    expect(renamed).toMatchObject({
      status: 200,
      body: { title: "A name", model: "mock-large", permissionMode: "acceptEdits" },
    });
    expect((await talk.say("settings")).text).toMatch(/model mock-large.*permissions acceptEdits/);
    expect((await patch({ variant: "high", agentMode: "plan" })).status).toBe(200);
    expect((await talk.say("settings")).text).toMatch(/mode plan, variant high/);
    expect((await patch({ env: { MY_SETTING: "42" } })).status).toBe(200);
    expect((await talk.say("env MY_SETTING")).text).toBe("MY_SETTING=42");
    expect(await patch({ model: "gpt-0" })).toMatchObject({ status: 400, body: { code: "unsupported_option" } });
    expect(await patch({ colour: "red" })).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await patch({ limits: { turnIdleMs: -1 } })).toMatchObject({ status: 400 });
    expect(await talk.view()).toMatchObject({ model: "mock-large", title: "A name" });
  });

  it.each([
    ["missing", "spawn_failed"],
    ["crash", "process_exited"],
    ["silent", "timeout"],
  ])(
    "an agent that fails to start (%s) gives an unhealthy session and 422 at the next message",
    async (start, type) => {
      const sessionId = `c-unhealthy-${start}-${Date.now()}`;
      // Only one that stays silent uses its time up; the others tell, however slow the machine is.
      const body = { agent: "mock", agentOptions: { start, startMs: start === "silent" ? 500 : 60_000 } };
      const created = await api().request<CreatedSession>("POST", `/sessions/${sessionId}`, body);
      expect(created).toMatchObject({
        status: 201,
        body: { healthy: false, error: { type }, session: { healthy: false } },
      });
      const sent = await api().request("POST", `/sessions/${sessionId}/messages`, { message: "hi" });
      expect(sent).toMatchObject({ status: 422, body: { code: "agent_unhealthy", sessionId } });
      expect(await api().session(sessionId)).toMatchObject({ healthy: false, error: { type }, queued: 0 });
      await new Conversation(api(), sessionId).finish();
    },
  );

  it.each(["terminate", "delete"])("%s ends an agent that is still starting, without waiting for it", async (end) => {
    const sessionId = `c-${end}-starting-${Date.now()}`;
    const body = { agent: "mock", agentOptions: { start: "silent", startMs: 60_000 } };
    const creating = api().request<CreatedSession>("POST", `/sessions/${sessionId}`, body);
    await vi.waitFor(async () => expect((await api().session(sessionId)).state).toBe("starting"), { timeout: 30_000 });
    const path = `/sessions/${sessionId}`;
    const ended = end === "delete" ? api().request("DELETE", path) : api().request("POST", `${path}/terminate`, {});
    expect((await ended).status).toBe(204);
    expect(await creating).toMatchObject({ status: 201, body: { healthy: true, session: { state: "asleep" } } });
    if (end === "terminate") await new Conversation(api(), sessionId).finish();
  });

  it("a refused token is a token error; a better one by PATCH heals the session", async () => {
    const talk = await Conversation.open(api(), { token: "invalid" });
    expect(await talk.view()).toMatchObject({ healthy: false, error: { type: "token_error" } });
    expect((await api().request("PATCH", talk.path, { token: "a-better-token" })).status).toBe(200);
    expect((await talk.say("env MOCK_TOKEN")).text).toBe("MOCK_TOKEN=a-better-token");
    expect(await talk.view()).toMatchObject({ healthy: true });
    await talk.finish();
  });

  inConversation(
    "a session over its budget takes no further turn",
    async (talk) => {
      await talk.say("echo the first one costs something");
      const { messageId } = await talk.send("echo no money left");
      expect((await talk.fateOf(messageId)).status).toBe("failed");
      expect((await talk.until("error")).data.code).toBe("budget_exceeded");
    },
    { limits: { budgetUsd: 0.000001 } },
  );
}
