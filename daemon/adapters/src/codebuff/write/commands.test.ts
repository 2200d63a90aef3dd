import { describe, expect, test } from "vitest";
import type { Command } from "../../commands.ts";
import { Conversion } from "../../converter/conversion.ts";
import { codebuffConverter } from "../converter.ts";
import type { CodebuffNative } from "../wire/native.ts";

/** A run in which these lines were said; `tell` gives what a command makes of it. */
function run(...lines: object[]) {
  const conversion = new Conversion(codebuffConverter);
  const say = (...more: object[]) => more.flatMap((line) => conversion.line(JSON.stringify(line), []));
  say({ type: "start", messageHistoryLength: 0 }, ...lines);
  const tell = (command: Command) => {
    const replies: CodebuffNative[] = [];
    const signals = conversion.command(command, replies);
    return { replies, signals };
  };
  return { say, tell };
}

const json = (toolCallId: string, value: object) => ({
  type: "tool_result",
  toolCallId,
  output: [{ type: "json", value }],
});
const call = { type: "tool_call", toolCallId: "t1", toolName: "run_terminal_command", input: { command: "rm x" } };
const permission = { toolCallId: "t1", action: "execute", title: "Run rm x", command: "rm x" };
const ask = { type: "tool_call", toolCallId: "ask-t1", toolName: "ask_user", input: {}, permission };
const questions = [{ question: "Which?", options: [{ label: "A" }, { label: "B" }], multiSelect: true }];
const question = { type: "tool_call", toolCallId: "q1", toolName: "ask_user", input: { questions } };
const plan = { type: "tool_call", toolCallId: "p1", toolName: "ask_user", input: {}, plan: { text: "1. do" } };

describe("a permission", () => {
  test("is given once, and the echo of the answer is nothing new", () => {
    const { say, tell } = run(call, ask);
    const { replies } = tell({ type: "permission", requestKey: "ask-t1", decision: "allow" });
    expect(replies).toEqual([json("ask-t1", { decision: "once" })]);
    expect(say({ ...json("ask-t1", { decision: "once" }), toolName: "ask_user" })).toEqual([]);
  });

  test("that is refused cancels its call", () => {
    const { say, tell } = run(call, ask);
    const { replies } = tell({ type: "permission", requestKey: "ask-t1", decision: "reject", message: "no" });
    expect(replies).toEqual([json("ask-t1", { decision: "deny", message: "no" })]);
    say({ ...json("ask-t1", { decision: "deny" }), toolName: "ask_user" });
    expect(say({ ...json("t1", { errorMessage: "Denied" }), toolName: "run_terminal_command" })).toMatchObject([
      { data: { item: { kind: "tool_call", status: "cancelled" } } },
      {},
      { data: { item: { kind: "tool_result", status: "cancelled" } } },
    ]);
  });
});

describe("an answer", () => {
  test.each([
    [[["A"]], { answers: [{ questionIndex: 0, selectedOption: "A" }] }],
    [[["A", "B"]], { answers: [{ questionIndex: 0, selectedOptions: ["A", "B"] }] }],
    [[["mine"]], { answers: [{ questionIndex: 0, otherText: "mine" }] }],
    [[["A", "mine"]], { answers: [{ questionIndex: 0, selectedOption: "A", otherText: "mine" }] }],
    [undefined, { skipped: true }],
  ])("%j is %j", (answers, value) => {
    const { tell } = run(question);
    expect(tell({ type: "question", requestKey: "q1", answers }).replies).toEqual([json("q1", value)]);
  });
});

describe("a plan", () => {
  test("that is approved ends PLAN mode, for this run and those to come", () => {
    const { tell } = run(plan);
    const { replies, signals } = tell({
      type: "question",
      requestKey: "p1",
      answers: [["approve_edits"]],
      editedText: "2.",
    });
    expect(replies).toEqual([
      json("p1", { decision: "approve_edits", plan: "2." }),
      { type: "update", mode: "DEFAULT", permissions: "accept-edits" },
    ]);
    expect(signals).toEqual([
      { type: "session.updated", data: { agentMode: "default", permissionMode: "acceptEdits" } },
    ]);
  });

  test.each([
    [[["reject"]], { decision: "reject" }],
    [[["shorter please"]], { decision: "reject", message: "shorter please" }],
    [undefined, { skipped: true }],
  ])("%j is %j, and planning goes on", (answers, value) => {
    const { tell } = run(plan);
    const { replies, signals } = tell({ type: "question", requestKey: "p1", answers });
    expect(replies).toEqual([json("p1", value)]);
    expect(signals).toEqual([]);
  });
});

describe("steering", () => {
  const steer: Command = { type: "steer", messageId: "m2", text: "hurry", attachments: [] };

  test("that enters the run is told, and the turn names it", () => {
    const { say, tell } = run();
    tell(steer);
    expect(say({ type: "user_message_joined", messageId: "m2" }, { type: "finish", totalCost: 1 })).toMatchObject([
      { type: "message.joined", data: { messageId: "m2" } },
      { type: "turn.finished", data: { status: "completed", messageIds: ["m2"], costUsd: 0.01 } },
    ]);
  });

  test("that came too late is answered by a run of its own, in the same turn", () => {
    const { say, tell } = run();
    tell(steer);
    expect(say({ type: "finish", totalCost: 1, usage: { inputTokens: 5, outputTokens: 1 } })).toEqual([]);
    const late = { type: "start", messageHistoryLength: 2, messageId: "m2" };
    expect(say(late, { type: "finish", totalCost: 2, usage: { inputTokens: 7, outputTokens: 1 } })).toMatchObject([
      { type: "message.joined", data: { messageId: "m2" } },
      { type: "turn.finished", data: { costUsd: 0.03, usage: { inputTokens: 12, outputTokens: 2 } } },
    ]);
  });

  test("is dropped with the run that is stopped", () => {
    const { say, tell } = run();
    tell(steer);
    tell({ type: "interrupt" });
    expect(say({ type: "finish", totalCost: 0, status: "cancelled" })).toMatchObject([
      { type: "turn.finished", data: { status: "interrupted" } },
    ]);
  });
});

test("settings are one line", () => {
  const update: Command = { type: "update", model: "m", variant: "high", agentMode: "max", permissionMode: "bypass" };
  expect(run().tell(update).replies).toEqual([
    { type: "update", model: "m", variant: "high", mode: "MAX", permissions: "allow" },
  ]);
});
