import type { PendingRequests } from "@muster/schema";
import { expect, it } from "vitest";
import type { DaemonApi } from "./api.ts";
import { type Conversation, conversationTests, converse } from "./conversation.ts";

/** Questions and permissions: answered once, declined, expired, cancelled, granted for the session. */
export function humanRequestTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  inConversation("a question waits for a person; the first valid answer wins and the next is told so", async (talk) => {
    const { messageId } = await talk.send("question");
    const { data } = await talk.until("question.requested");
    expect(data).toMatchObject({ kind: "question", questions: [{ options: [{ label: "Red" }, { label: "Blue" }] }] });
    expect(await talk.view()).toMatchObject({ state: "waiting", pendingRequests: 1 });
    expect(await api().get<PendingRequests>(`${talk.path}/requests`)).toEqual({ questions: [data], permissions: [] });
    const reply = (answers: string[][]) =>
      api().request("POST", `${talk.path}/questions/${data.questionId}/reply`, { answers });
    expect(await reply([["Red"], ["Blue"]])).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await reply([["Red", "Blue"]])).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    const both = await Promise.all([reply([["red"]]), reply([["Blue"]])]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toMatchObject({ code: "already_resolved" });
    const { text, of } = await talk.turnOf(messageId);
    const chosen = both[0]?.status === 204 ? "Red" : "Blue";
    expect(text).toBe(`You answered: ${chosen}.`);
    expect(of("question.resolved")).toEqual([{ questionId: data.questionId, status: "answered", answers: [[chosen]] }]);
    expect(await reply([["Red"]])).toMatchObject({ status: 409, body: { code: "already_resolved" } });
    expect(await api().get<PendingRequests>(`${talk.path}/requests`)).toEqual({ questions: [], permissions: [] });
  });

  inConversation(
    "own text answers where it is allowed, a multi-select takes several, and nothing else passes",
    async (talk) => {
      const { messageId } = await talk.send("questions");
      const { questionId } = (await talk.until("question.requested")).data;
      const reply = (answers: string[][]) =>
        api().request("POST", `${talk.path}/questions/${questionId}/reply`, { answers });
      expect((await reply([["Red"], ["Cheese"], ["Red"]])).status).toBe(400);
      expect((await reply([["Red"], ["Pineapple"]])).status).toBe(400);
      expect((await reply([["a kind of green"], ["Cheese", "olives"]])).status).toBe(204);
      expect((await talk.turnOf(messageId)).text).toBe("You answered: a kind of green; Cheese and Olives.");
    },
  );

  inConversation("a declined question lets the turn go on", async (talk) => {
    const { messageId } = await talk.send("question");
    const { questionId } = (await talk.until("question.requested")).data;
    const path = `${talk.path}/questions/${questionId}/reject`;
    expect((await api().request("POST", path, { message: "not my colour" })).status).toBe(204);
    const { text, end, of } = await talk.turnOf(messageId);
    expect({ text, status: end.status }).toEqual({ text: "You declined: not my colour.", status: "completed" });
    expect(of("question.resolved")).toEqual([{ questionId, status: "rejected", message: "not my colour" }]);
  });

  inConversation("unknown requests are not found", async (talk) => {
    for (const [path, body] of [
      ["questions/question_1/reply", { answers: [["x"]] }],
      ["questions/question_99/reject", {}],
      ["questions/nonsense/reply", { answers: [] }],
      ["permissions/permission_1/reply", { reply: "once" }],
    ] as const) {
      expect(await api().request("POST", `${talk.path}/${path}`, body)).toMatchObject({
        status: 404,
        body: { code: "request_not_found" },
      });
    }
  });

  inConversation("a permission allowed once is asked again", async (talk) => {
    expect(await answerPermission(api(), talk, "permission ls -la", "once")).toMatchObject({
      text: "I was allowed to: ls -la",
      resolved: { decision: "allow", by: "user", scope: "once" },
    });
    expect(await answerPermission(api(), talk, "permission ls -la", "once")).toMatchObject({
      resolved: { by: "user" },
    });
  });

  inConversation("a permission belongs to its tool call and says what always would grant", async (talk) => {
    const { messageId } = await talk.send("permission edit src/a.ts");
    const { data } = await talk.until("permission.requested");
    const call = await talk.until("item.started", ({ item }) => item.itemId === data.itemId);
    expect(call.data.item.kind).toBe("tool_call");
    expect(data).toMatchObject({ action: "edit", alwaysScope: [{ action: "edit", pattern: "src/a.ts" }] });
    await api().post(`${talk.path}/permissions/${data.permissionId}/reply`, { reply: "once" });
    expect((await talk.turnOf(messageId)).end.status).toBe("completed");
  });

  inConversation("always is asked once; another command, another case and a second session still ask", async (talk) => {
    const first = await answerPermission(api(), talk, "permission make test", "always");
    expect(first.resolved).toMatchObject({ decision: "allow", by: "user", scope: "session" });
    const again = await talk.say("permission make test");
    expect(again.text).toBe("I was allowed to: make test");
    expect(again.of("permission.resolved")).toMatchObject([{ decision: "allow", by: "rule" }]);
    for (const other of ["permission make test2", "permission make test && rm -rf /", "permission make tes"]) {
      expect((await answerPermission(api(), talk, other, "once")).resolved.by).toBe("user");
    }
    await converse(api(), {}, async (second) => {
      expect((await answerPermission(api(), second, "permission make test", "once")).resolved.by).toBe("user");
    });
  });

  inConversation("always outlives the agent's life but not the session", async (talk) => {
    await answerPermission(api(), talk, "permission make", "always");
    await api().post(`${talk.path}/terminate`);
    const again = await talk.say("permission make");
    expect(again.of("permission.resolved")).toMatchObject([{ by: "rule" }]);
  });

  inConversation("reject lets the turn go on and tells the agent why", async (talk) => {
    const { text, resolved } = await answerPermission(api(), talk, "permission rm x", "reject", "too dangerous");
    expect(text).toBe("I was not allowed to: rm x (too dangerous)");
    expect(resolved).toMatchObject({ decision: "reject", by: "user", message: "too dangerous" });
  });

  it("the modes decide who is asked", async () => {
    await converse(api(), { permissionMode: "bypass" }, async (talk) => {
      expect((await talk.say("permission rm x")).text).toBe("I was allowed to: rm x");
    });
    await converse(api(), { dangerouslySkipPermissions: true, permissionMode: "plan" }, async (talk) => {
      expect(await talk.view()).toMatchObject({ permissionMode: "bypass" });
      expect((await talk.say("permission rm x")).text).toBe("I was allowed to: rm x");
    });
    await converse(api(), { permissionMode: "acceptEdits" }, async (talk) => {
      expect((await talk.say("permission edit a.ts")).text).toBe("I was allowed to: change a.ts");
      expect((await answerPermission(api(), talk, "permission rm x", "once")).resolved.by).toBe("user");
    });
    await converse(api(), { permissionMode: "plan" }, async (talk) => {
      const { text, of } = await talk.say("permission edit a.ts");
      expect(text).toContain("I was not allowed to: change a.ts");
      expect(of("permission.requested")).toHaveLength(1);
      expect(of("permission.resolved")).toMatchObject([{ decision: "reject", by: "agent" }]);
    });
  });

  inConversation(
    "a plan is approved, and the mode changes with it",
    async (talk) => {
      const { messageId } = await talk.send("plan");
      const { data } = await talk.until("question.requested");
      expect(data.kind).toBe("plan_approval");
      expect(data.questions[0]?.options.map(({ id }) => id)).toEqual(["approve", "approve_edits", "reject"]);
      expect(data.questions[0]?.body).toContain("look around");
      await api().post(`${talk.path}/questions/${data.questionId}/reply`, { answers: [["approve_edits"]] });
      expect((await talk.turnOf(messageId)).text).toContain("The plan is done.");
      expect(await talk.view()).toMatchObject({ permissionMode: "acceptEdits" });
    },
    { permissionMode: "plan" },
  );

  inConversation(
    "a request nobody answers expires, and the turn goes on",
    async (talk) => {
      const asked = await talk.say("question");
      expect(asked.of("question.requested")[0]?.expiresAt).toEqual(expect.any(String));
      expect(asked.of("question.resolved")).toMatchObject([{ status: "expired" }]);
      expect(asked).toMatchObject({ end: { status: "completed" }, text: expect.stringContaining("You declined") });
      const wanted = await talk.say("permission rm x");
      expect(wanted.of("permission.resolved")).toMatchObject([{ decision: "expired" }]);
      expect(wanted.text).toContain("I was not allowed to: rm x");
      const [{ permissionId } = { permissionId: "" }] = wanted.of("permission.requested");
      const late = await api().request("POST", `${talk.path}/permissions/${permissionId}/reply`, { reply: "once" });
      expect(late).toMatchObject({ status: 409, body: { code: "already_resolved" } });
    },
    { limits: { requestMs: 300 } },
  );

  inConversation("an interrupt cancels what is asked", async (talk) => {
    for (const [prompt, type, ended] of [
      ["question", "question.requested", { status: "cancelled" }],
      ["permission rm x", "permission.requested", { decision: "cancelled" }],
    ] as const) {
      const { messageId, sequence } = await talk.send(prompt);
      await talk.until<"question.requested" | "permission.requested">(type, () => true, sequence);
      expect((await api().request("POST", `${talk.path}/interrupt`, {})).status).toBe(204);
      const { end, of } = await talk.turnOf(messageId);
      expect(end).toMatchObject({ status: "interrupted", cause: "interrupted_by_user" });
      expect([...of("question.resolved"), ...of("permission.resolved")]).toMatchObject([ended]);
    }
    expect((await talk.say("echo fine")).text).toBe("fine");
  });

  inConversation(
    "the clocks stop while a person is asked",
    async (talk) => {
      const { messageId } = await talk.send("permission ls");
      const { data } = await talk.until("permission.requested");
      // Longer than any of the limits, which leave the agent itself enough time on a busy machine.
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      await api().post(`${talk.path}/permissions/${data.permissionId}/reply`, { reply: "once" });
      expect((await talk.turnOf(messageId)).end.status).toBe("completed");
    },
    { limits: { turnIdleMs: 2_500, toolIdleMs: 2_500, turnMs: 4_000 } },
  );
}

async function answerPermission(
  api: DaemonApi,
  talk: Conversation,
  prompt: string,
  reply: "once" | "always" | "reject",
  message?: string,
) {
  const { messageId, sequence } = await talk.send(prompt);
  const { data } = await talk.until("permission.requested", () => true, sequence);
  const path = `${talk.path}/permissions/${data.permissionId}/reply`;
  expect((await api.request("POST", path, { reply, message })).status).toBe(204);
  expect(await api.request("POST", path, { reply })).toMatchObject({ status: 409, body: { code: "already_resolved" } });
  const { text, of } = await talk.turnOf(messageId);
  const [resolved] = of("permission.resolved");
  if (!resolved) throw new Error("The permission was not resolved");
  return { text, resolved };
}
