import { expect, it } from "vitest";
import type { DaemonApi } from "./api.ts";
import { type Conversation, conversationTests, converse, type TurnRecord } from "./conversation.ts";

/** Everything the mock agent obeys, each in a conversation of its own whose log is checked at the end. */
export function promptTests(api: () => DaemonApi): void {
  const inConversation = conversationTests(api);
  it.each(Object.keys(completed))("%s is answered in one completed turn", async (prompt) => {
    await converse(api(), {}, async (talk) => {
      const turn = await talk.say(prompt);
      expect(turn.end).toMatchObject({ status: "completed", durationMs: expect.any(Number) });
      completed[prompt]?.(turn);
    });
  });

  inConversation("what is no prompt is echoed", async (talk) => {
    const said = 'Grüße aus \u2028 der 🧪, mit "Zitat" und \\ und\nneuer Zeile';
    expect((await talk.say(said)).text).toBe(said);
  });

  inConversation("a turn begins with the fate of its message and what the person wrote", async (talk) => {
    const { messageId, sequence } = await talk.send("echo hi");
    const { events } = await talk.turnOf(messageId);
    expect(talk.events[sequence - 1]).toMatchObject({
      type: "message.updated",
      data: { messageId, status: "queued" },
    });
    expect(events.slice(0, 4)).toMatchObject([
      { type: "message.updated", source: "daemon", data: { messageId, status: "given", turnId: "turn_1" } },
      { type: "turn.started", source: "daemon", data: { turnId: "turn_1", messageIds: [messageId], origin: "user" } },
      { type: "item.started", data: { item: { role: "user", content: [{ type: "text", text: "echo hi" }] } } },
      { type: "item.completed", data: { item: { role: "user", status: "completed" } } },
    ]);
  });

  inConversation("demo does all of it in one turn", async (talk) => {
    const { messageId } = await talk.send("demo");
    const asked = await talk.until("question.requested");
    await answer(api(), talk, asked.data.questionId, [["Red"]]);
    const more = await talk.until("question.requested", () => true, asked.sequence);
    await answer(api(), talk, more.data.questionId, [["blue"], ["Cheese", "basil"]]);
    const permission = await talk.until("permission.requested");
    await api().post(`${talk.path}/permissions/${permission.data.permissionId}/reply`, { reply: "once" });
    const turn = await talk.turnOf(messageId);
    expect(turn.end.status).toBe("completed");
    expect(new Set(turn.of("item.completed").map(({ item }) => item.kind))).toEqual(
      new Set(["message", "reasoning", "plan", "tool_call", "tool_result", "status"]),
    );
    expect(turn.of("agent.unparsed")).toHaveLength(2);
    expect(turn.of("error")).toMatchObject([{ code: "provider_error", retryable: true }]);
  });

  inConversation("error fails its turn with the agent's cause, and the next message works", async (talk) => {
    const { end, of } = await talk.say("error");
    expect(end).toMatchObject({ status: "failed", cause: "provider_error" });
    expect(of("error")).toMatchObject([{ code: "provider_error", retryable: false, details: { status: 529 } }]);
    expect((await talk.say("echo still here")).text).toBe("still here");
  });

  inConversation("crash fails its turn and ends the life with code and stderr; a new life resumes", async (talk) => {
    expect((await talk.say("crash 3")).end).toMatchObject({ status: "failed", cause: "agent_exited" });
    const { data, sequence } = await talk.until("session.ended");
    expect(data).toMatchObject({ reason: "error", terminatedBy: "agent", exitCode: 3 });
    expect(`${data.stderr?.head}${data.stderr?.tail}`).toContain("crashing as told");
    expect(await talk.view()).toMatchObject({ state: "ended" });
    expect((await talk.say("echo again")).text).toBe("again");
    expect((await talk.until("session.started", () => true, sequence)).data).toMatchObject({ resumed: true });
  });

  inConversation("end completes its turn and the life", async (talk) => {
    expect(await talk.say("end")).toMatchObject({ text: "Goodbye.", end: { status: "completed" } });
    expect((await talk.until("session.ended")).data).toMatchObject({
      reason: "completed",
      terminatedBy: "agent",
      exitCode: 0,
    });
  });

  inConversation("late-item is completed after its turn and keeps its turn", async (talk) => {
    const { end } = await talk.say("late-item");
    expect(end.status).toBe("completed");
    const late = await talk.until("item.completed", ({ item }) => item.kind === "tool_call");
    expect(late).toMatchObject({ turnId: end.turnId, data: { item: { background: true, status: "completed" } } });
    await talk.until("item.completed", ({ item }) => item.kind === "tool_result");
  });

  inConversation("self-turn gives a turn of the agent's own", async (talk) => {
    await talk.say("self-turn");
    const { data } = await talk.until("turn.started", ({ origin }) => origin === "agent");
    expect(data.messageIds).toEqual([]);
    const end = await talk.until("turn.ended", ({ turnId }) => turnId === data.turnId);
    expect(end.data.status).toBe("completed");
  });

  inConversation("a conversation remembers its turns, usage and cost", async (talk) => {
    const first = await talk.say("echo one");
    const second = await talk.say("history");
    expect(second.text).toContain("echo one");
    const { usage, costUsd } = await talk.view();
    const sum = (field: "inputTokens" | "outputTokens") =>
      (first.end.usage?.[field] ?? Number.NaN) + (second.end.usage?.[field] ?? Number.NaN);
    expect(usage).toMatchObject({ inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") });
    expect(costUsd).toBeCloseTo((first.end.costUsd ?? Number.NaN) + (second.end.costUsd ?? Number.NaN), 9);
  });
}

/** Prompts that need nobody: prompt → what else must be true of its turn. */
const completed: Record<string, (turn: TurnRecord) => void> = {
  help: ({ text }) => {
    for (const prompt of ["echo", "markdown", "permission", "demo", "crash"]) expect(text).toContain(`\`${prompt}`);
  },
  "echo hello there": ({ text, of }) => {
    expect(text).toBe("hello there");
    expect(of("item.delta").length).toBeGreaterThan(1);
  },
  markdown: ({ text }) => expect(text).toContain("| left | right |"),
  reasoning: ({ of }) => {
    const [, thought] = of("item.completed");
    expect(thought?.item).toMatchObject({ kind: "reasoning", content: [{ type: "reasoning", visibility: "public" }] });
  },
  tool: (turn) => {
    const { call, result } = callAndResult(turn);
    expect(call).toMatchObject({ name: "shell", toolKind: "execute", input: { command: "ls" } });
    expect(result).toMatchObject([{ output: "README.md\nsrc\n", isError: false, exitCode: 0 }]);
    expect(turn.of("item.delta").map(({ part }) => part)).toEqual(expect.arrayContaining(["input", "output"]));
  },
  file: (turn) => {
    const { call, result } = callAndResult(turn);
    expect(call).toMatchObject({ toolKind: "edit" });
    expect(result).toMatchObject([{ isError: false }, { type: "file", action: "write", diff: expect.any(String) }]);
  },
  plan: ({ of }) => {
    expect(of("plan.updated").at(-1)?.entries).toMatchObject([
      { status: "completed", priority: "medium" },
      { status: "completed" },
      { status: "completed" },
    ]);
    expect(of("item.completed").map(({ item }) => item.kind)).toContain("plan");
  },
  status: ({ of }) =>
    expect(of("item.completed").map(({ item }) => item.content[0])).toContainEqual({
      type: "status",
      label: "indexing",
      detail: "42 of 42 files",
    }),
  image: ({ of }) =>
    expect(of("item.completed").flatMap(({ item }) => item.content)).toContainEqual({
      type: "image",
      mime: "image/png",
      data: expect.any(String),
    }),
  subagent: ({ of }) => {
    const items = of("item.completed").map(({ item }) => item);
    const call = items.find(({ kind }) => kind === "tool_call");
    expect(call?.content).toMatchObject([{ toolKind: "agent" }]);
    expect(items.filter(({ parentId }) => parentId === call?.itemId)).toMatchObject([{ kind: "message" }]);
  },
  unparsed: ({ of, text }) => {
    expect(of("agent.unparsed")).toMatchObject([
      { raw: "this line is not JSON", error: expect.any(String), location: expect.any(String) },
      { raw: { ev: "riddle", answer: 42 } },
    ]);
    expect(text).toContain("nobody understands");
  },
  "burst 5000 20": ({ of, text }) => {
    expect(of("item.delta")).toHaveLength(5000);
    expect(text.replaceAll("\n", "")).toHaveLength(5000 * 20);
  },
  "slow 400": ({ text }) => expect(text).toContain("tick"),
  "retry 200": ({ text }) => expect(text).toContain("went well"),
};

function callAndResult({ of }: TurnRecord) {
  const items = of("item.completed").map(({ item }) => item);
  const call = items.find(({ kind }) => kind === "tool_call")?.content[0];
  const result = items.find(({ kind }) => kind === "tool_result")?.content;
  if (call?.type !== "tool_call" || result?.[0]?.type !== "tool_result") throw new Error("no call or no result");
  expect(result[0].callId).toBe(call.callId);
  return { call, result };
}

async function answer(api: DaemonApi, talk: Conversation, questionId: string, answers: string[][]): Promise<void> {
  await api.post(`${talk.path}/questions/${questionId}/reply`, { answers });
}
