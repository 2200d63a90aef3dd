import type { EventBody, Item } from "@muster/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { event, json } from "../../test/arbitrary-events.ts";
import { conversionLaws } from "../../test/conversion-laws.ts";
import type { Command } from "../commands.ts";
import { codexConverter } from "./converter.ts";
import { losses, unsayable } from "./inverse/law-exceptions.ts";
import type { CodexNative } from "./wire/native.ts";
import type { CodexState } from "./wire/state.ts";

const converter = codexConverter({ permissionMode: "default" });
const step = (state: CodexState, native: unknown) => converter.step(state, { native: native as CodexNative });
const lines = (state: CodexState, ...natives: unknown[]) =>
  natives.reduce<CodexState>((current, native) => step(current, native).state, state);

const opened = { id: 1, result: { thread: { id: "thread", cliVersion: "0.166.0" }, model: "m", cwd: "/w" } };
const running = lines(
  converter.step(lines(converter.initial(), opened), {
    command: { type: "message", messageId: "m0", text: "go", attachments: [] },
  }).state,
  { method: "turn/started", params: { threadId: "thread", turn: { id: "turn", status: "inProgress" } } },
);

const beginnings = {
  agentMessage: { text: "" },
  reasoning: { summary: [], content: [] },
  plan: { text: "" },
  commandExecution: { command: "ls", cwd: "/w", status: "inProgress" },
};
const typeOfPart = {
  text: "agentMessage",
  reasoning: "reasoning",
  output: "commandExecution",
  input: "agentMessage",
} as const;
const typeOfKind = (kind: Item["kind"]) => (kind === "reasoning" || kind === "plan" ? kind : "agentMessage");

/** A life in which the turn, the item or the request is open that an event or a command needs. */
function stateFor(subject: Parameters<NonNullable<Parameters<typeof conversionLaws>[0]["stateFor"]>>[0]): CodexState {
  if ("command" in subject) return stateForCommand(subject.command);
  const { body } = subject;
  const begun = (id: string, type: keyof typeof beginnings) => ({
    method: "item/started",
    params: { threadId: "thread", item: { type, id, ...beginnings[type] } },
  });
  switch (body.type) {
    case "turn.started":
      return lines(converter.initial(), opened);
    case "turn.ended":
      return lines(lines(converter.initial(), opened), {
        method: "turn/started",
        params: { threadId: "thread", turn: { id: "turn", status: "inProgress" } },
      });
    case "item.delta":
      return lines(running, begun(body.data.itemId, typeOfPart[body.data.part]));
    case "item.completed":
      return lines(
        running,
        begun(body.data.item.nativeItemId ?? body.data.item.itemId, typeOfKind(body.data.item.kind)),
      );
    default:
      return running;
  }
}

function stateForCommand(command: Command): CodexState {
  if (command.type === "permission") {
    const params = { threadId: "thread", turnId: "turn", itemId: "call_1", command: "ls", cwd: "/w" };
    return lines(running, { id: command.requestKey, method: "item/commandExecution/requestApproval", params });
  }
  if (command.type === "question") {
    const question = { header: "h", question: "q", isOther: true, isSecret: false, options: null };
    const questions = (command.answers ?? ["one"]).map((_, at) => ({ id: `q${at}`, ...question }));
    const params = { threadId: "thread", turnId: "turn", itemId: "call_1", questions };
    // Codex asks at least one question.
    if (questions.length === 0) questions.push({ id: "q0", ...question });
    return lines(running, { id: command.requestKey, method: "item/tool/requestUserInput", params });
  }
  return running;
}

const text = fc.string({ maxLength: 20 });
const words = text.filter((value) => value !== "");
const item = (kind: Item["kind"], status: Item["status"], content: fc.Arbitrary<Item["content"]>) =>
  content.map((parts): Item => ({ itemId: "item_7", kind, role: "assistant", status, content: parts }));
const reasoningParts = (visibility: "public" | "private") =>
  fc.array(
    text.map((value) => ({ type: "reasoning" as const, text: value, visibility })),
    { maxLength: 2 },
  );
const nothing = fc.constant<Item["content"]>([]);

/** Events of the shapes that Codex has words for. */
const sayable: fc.Arbitrary<EventBody> = fc.oneof(
  fc
    .oneof(
      item("message", "in_progress", nothing),
      item("reasoning", "in_progress", nothing),
      item("plan", "in_progress", nothing),
      item(
        "tool_call",
        "in_progress",
        json.map((input) => [
          { type: "tool_call", callId: "call_1", name: "mcp__files__read", toolKind: "other", input },
        ]),
      ),
    )
    .map((started): EventBody => ({ type: "item.started", data: { item: started } })),
  fc
    .oneof(
      item(
        "message",
        "completed",
        text.map((value) => [{ type: "text", text: value }]),
      ),
      item(
        "plan",
        "completed",
        text.map((value) => [{ type: "plan", text: value }]),
      ),
      item(
        "reasoning",
        "completed",
        fc.tuple(reasoningParts("public"), reasoningParts("private")).map((both) => both.flat()),
      ),
    )
    .map((completed): EventBody => ({ type: "item.completed", data: { item: completed } })),
  fc
    .tuple(fc.constantFrom("text" as const, "reasoning" as const, "output" as const), text)
    .map(([part, delta]): EventBody => ({ type: "item.delta", data: { itemId: "item_7", index: 0, part, delta } })),
  fc
    .oneof(
      words.map((title) => ({ title })),
      words.map((model) => ({ model: `${model}+` })),
    )
    .map((data): EventBody => ({ type: "session.updated", data })),
  fc.constant<EventBody>({ type: "turn.ended", data: { turnId: "turn", status: "completed", durationMs: 1 } }),
  fc
    .tuple(fc.constantFrom("auth_failed" as const, "context_overflow" as const, "agent_error" as const), words)
    .map(([cause, message]): EventBody => {
      return { type: "turn.ended", data: { turnId: "turn", status: "failed", cause, message, durationMs: 1 } };
    }),
  fc.array(fc.tuple(words, text), { minLength: 1, maxLength: 3 }).map((asks): EventBody => {
    const questions = asks.map(([header, question], at) => ({
      id: `q${at}`,
      header,
      question,
      type: "string" as const,
      options: [],
      multiSelect: false,
      allowCustom: true,
    }));
    return { type: "question.requested", data: { questionId: "q", kind: "question", questions } };
  }),
);

test("every type of event that is not an exception as a whole has a form in Codex's words", () => {
  const samples = fc.sample(fc.oneof(event, sayable), { numRuns: 3_000, seed: 1 });
  const said = new Set(samples.flatMap((body) => (converter.fromUniversal(body) ? [body.type] : [])));
  expect([...said].sort()).toEqual([
    "error",
    "item.completed",
    "item.delta",
    "item.started",
    "plan.updated",
    "question.requested",
    "session.updated",
    "turn.ended",
    "turn.started",
    "usage.updated",
  ]);
});

conversionLaws({ converter, exceptions: unsayable, stateFor, losses, sayable });

describe("the converter", () => {
  test("any JSON at all becomes signals and never an exception", () => {
    fc.assert(
      fc.property(json, (native) => {
        expect(step(converter.initial(), native).bodies).toMatchObject([{ type: "agent.unparsed" }]);
      }),
    );
  });

  test("says what it did not understand", () => {
    const errors = [
      42,
      { method: "thread/dream", params: {} },
      { method: "item/agentMessage/delta", params: { threadId: "thread" } },
      { method: "item/agentMessage/delta", params: { threadId: "thread", itemId: "x", delta: "y" } },
    ]
      .flatMap((native) => step(running, native).bodies)
      .map((body) => (body.type === "agent.unparsed" ? body.data.error : body.type));
    expect(errors).toEqual([
      "The line is no JSON-RPC message",
      "Unknown notification: thread/dream",
      "item/agentMessage/delta itemId: Invalid input: expected string, received undefined",
      "Text of an item that is not open",
    ]);
  });

  test("refuses what Codex asks and nobody here can answer, so that it does not wait", () => {
    const { bodies, replies } = step(running, { id: 7, method: "item/tool/call", params: { threadId: "thread" } });
    expect(bodies).toMatchObject([{ type: "agent.unparsed" }]);
    expect(replies).toEqual([
      { id: 7, error: { code: -32601, message: "This client does not answer item/tool/call" } },
    ]);
  });

  test("leaves the state it was given as it was", () => {
    const snapshot = structuredClone(running);
    const item = { type: "agentMessage", id: "a", text: "" };
    const begun = step(running, { method: "item/started", params: { threadId: "thread", item } });
    expect(running).toEqual(snapshot);
    const second = structuredClone(begun.state);
    step(begun.state, { method: "item/agentMessage/delta", params: { threadId: "thread", itemId: "a", delta: "x" } });
    step(begun.state, { method: "item/completed", params: { threadId: "thread", item: { ...item, text: "x" } } });
    expect(begun.state).toEqual(second);
  });

  test("numbers items on from the life before", () => {
    const resume = { nextItem: 12, totals: { usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 } };
    const item = { type: "agentMessage", id: "a", text: "" };
    const { bodies } = step(converter.initial(resume), { method: "item/started", params: { threadId: "t", item } });
    expect(bodies).toMatchObject([{ type: "item.started", data: { item: { itemId: "item_12" } } }]);
  });

  test("an interrupt before Codex has named the turn is sent as soon as it has", () => {
    const message: Command = { type: "message", messageId: "m1", text: "go", attachments: [] };
    const given = converter.step(lines(converter.initial(), opened), { command: message }).state;
    const wanted = converter.step(given, { command: { type: "interrupt" } });
    expect(wanted.replies).toEqual([]);
    const named = step(wanted.state, {
      id: "thread//turn/start:m1",
      result: { turn: { id: "t9", status: "inProgress" } },
    });
    expect(named.replies).toMatchObject([{ method: "turn/interrupt", params: { turnId: "t9" } }]);
  });

  describe("a command that runs when its turn ends", () => {
    const item = { type: "commandExecution", id: "c", command: "sleep 9", cwd: "/w", status: "inProgress" };
    const begun = lines(running, { method: "item/started", params: { threadId: "thread", item } });
    const endTurn = (status: string): CodexNative => {
      return { method: "turn/completed", params: { threadId: "thread", turn: { id: "turn", status } } };
    };
    const endItem: CodexNative = {
      method: "item/completed",
      params: { threadId: "thread", item: { ...item, status: "failed", exitCode: -1, aggregatedOutput: "half" } },
    };

    test("is cancelled with it by an interrupt; what it printed is told when Codex tells it", () => {
      const { bodies, state } = step(begun, endTurn("interrupted"));
      expect(bodies[0]).toMatchObject({
        type: "item.completed",
        data: { item: { itemId: "item_1", status: "cancelled" } },
      });
      expect(bodies[1]).toMatchObject({ type: "turn.finished" });
      const status = { kind: "status", nativeItemId: "c" };
      const content = [{ type: "status", label: "late_item", detail: "commandExecution ended: half" }];
      expect(step(state, endItem).bodies).toMatchObject([
        { type: "item.started", data: { item: status } },
        { type: "item.completed", data: { item: { ...status, content } } },
      ]);
    });

    test("goes on in the background otherwise, as an item that takes the place of its call", () => {
      const { bodies, state } = step(begun, endTurn("completed"));
      expect(bodies).toMatchObject([
        { type: "item.completed", data: { item: { itemId: "item_1", status: "cancelled", supersededBy: "item_2" } } },
        { type: "item.started", data: { item: { itemId: "item_2", background: true, content: [{ callId: "c" }] } } },
        { type: "turn.finished" },
      ]);
      expect(step(state, endItem).bodies).toMatchObject([
        { type: "item.completed", data: { item: { itemId: "item_2", background: true, status: "failed" } } },
        { type: "item.started" },
        { type: "item.completed", data: { item: { kind: "tool_result", status: "failed" } } },
      ]);
    });

    test("no other is in the background", () => {
      expect(JSON.stringify(step(begun, endItem).bodies)).not.toContain("background");
    });
  });

  test("a turn that Codex refuses to start has failed", () => {
    const { bodies } = step(running, { id: "thread//turn/start:m0", error: { code: -32600, message: "no" } });
    expect(bodies).toEqual([
      { type: "turn.finished", data: { status: "failed", cause: "agent_error", message: "no", messageIds: ["m0"] } },
    ]);
  });

  test("usage is counted from the turn's beginning, whatever the thread used before", () => {
    const usage = (total: number, last: number) => {
      const tokens = (count: number) => ({
        totalTokens: count,
        inputTokens: count,
        cachedInputTokens: 0,
        outputTokens: 0,
        reasoningOutputTokens: 0,
      });
      const tokenUsage = { total: tokens(total), last: tokens(last), modelContextWindow: 100 };
      return { method: "thread/tokenUsage/updated", params: { threadId: "thread", tokenUsage } };
    };
    const first = step(running, usage(500, 20));
    expect(first.bodies).toMatchObject([{ data: { inputTokens: 20 } }]);
    expect(step(first.state, usage(530, 30)).bodies).toMatchObject([{ data: { inputTokens: 50, contextTokens: 30 } }]);
    const atRest = lines(converter.initial(), opened, usage(500, 20));
    expect(step(lines(converter.initial(), opened), usage(500, 20)).bodies).toEqual([]);
    const begun = converter.step(atRest, { command: { type: "message", messageId: "m", text: "", attachments: [] } });
    expect(step(begun.state, usage(510, 10)).bodies).toMatchObject([{ data: { inputTokens: 10 } }]);
  });
});
