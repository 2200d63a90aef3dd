import { expect, test } from "vitest";
import { claudeConverter } from "../converter.ts";
import { claudeLines } from "../inverse/lines.ts";
import type { ClaudeNative } from "../wire/native.ts";
import type { ClaudeState } from "../wire/state.ts";
import { permissionFor } from "../wire/tools.ts";

function signalsOf(...lines: object[]) {
  let state: ClaudeState = claudeConverter.initial();
  return lines.flatMap((native) => {
    const step = claudeConverter.step(state, { native: native as ClaudeNative });
    state = step.state;
    return step.bodies;
  });
}

test.each([
  [{ result: "done" }, "completed"],
  [{ error: "it broke" }, "failed"],
  [{ structured_output: { ok: true } }, "completed"],
  [{ session_id: "s" }, "completed"],
])("an object without a type that has a field of a result is one: %o", (line, status) => {
  expect(signalsOf(line).at(-1)).toMatchObject({ type: "turn.finished", data: { status } });
});

test("tool_use and tool_result as lines of their own are a call and its result", () => {
  const signals = signalsOf(
    { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } },
    { type: "tool_result", tool_use_id: "t1", content: "a.txt" },
  );
  expect(signals.map(({ type }) => type)).toEqual(["item.started", "item.completed", "item.started", "item.completed"]);
  expect(signals[1]).toMatchObject({ data: { item: { kind: "tool_call", status: "completed" } } });
  expect(signals[3]).toMatchObject({
    data: { item: { content: [{ callId: "t1", output: "a.txt", isError: false }] } },
  });
});

test("the lines of the first description: calls and results without ids belong together in their order", () => {
  const { events } = claudeLines;
  const reader = events.reader();
  const lines = [
    { type: "assistant", message: { content: [{ type: "text", text: "I look." }] } },
    { type: "tool_use", tool_use: { name: "Read", input: { file_path: "a" } } },
    { type: "tool_use", tool_use: { name: "Read", input: { file_path: "b" } } },
    { type: "tool_result", content: "first" },
    { type: "tool_result", tool_result: { content: "second" }, is_error: true },
    { type: "result", result: "Final response text", session_id: "abc123" },
  ];
  const told = [...lines.flatMap((line) => reader.line(JSON.stringify(line))), ...reader.end()];
  expect(told.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
  const parts = told.flatMap((body) => (body.type === "item.completed" ? body.data.item.content : []));
  const names = new Map(parts.flatMap((part) => (part.type === "tool_call" ? [[part.callId, part.input]] : [])));
  expect(
    parts.flatMap((part) => (part.type === "tool_result" ? [[names.get(part.callId), part.output, part.isError]] : [])),
  ).toEqual([
    [{ file_path: "a" }, "first", false],
    [{ file_path: "b" }, "second", true],
  ]);
  expect(told).toContainEqual({ type: "session.updated", data: { nativeSessionId: "abc123" } });
  expect(told.at(-1)).toMatchObject({ type: "turn.ended", data: { status: "completed" } });
});

test("a block without an id in a message is a call all the same, and a result without a call is told", () => {
  const block = { type: "tool_use", name: "Bash", input: { command: "ls" } };
  const [call] = signalsOf({ type: "assistant", message: { content: [block] } });
  expect(call).toMatchObject({ type: "item.started", data: { item: { kind: "tool_call" } } });
  const [, result] = signalsOf({ type: "tool_result", content: "late" });
  expect(result).toMatchObject({ data: { item: { kind: "tool_result", content: [{ output: "late" }] } } });
});

test("a line that is only a text is a message and a turn that went well", () => {
  const reader = claudeLines.events.reader();
  const told = [...reader.line('"hello there"'), ...reader.end()];
  expect(told.map(({ type }) => type)).toEqual(["turn.started", "item.started", "item.completed", "turn.ended"]);
  expect(told.at(-1)).toMatchObject({ data: { status: "completed" } });
});

test("a block line that is not understood is kept as it came", () => {
  const line = { type: "tool_use", tool_use: { input: {} } };
  expect(signalsOf(line)).toMatchObject([{ type: "agent.unparsed", data: { raw: line } }]);
});

test("what a plan may do without asking keeps the tool it is for", () => {
  const input = { plan: "p", allowedPrompts: [{ tool: "Bash", prompt: "run tests" }] };
  const request = { subtype: "can_use_tool", tool_name: "ExitPlanMode", input };
  expect(signalsOf({ type: "control_request", request_id: "r1", request }).at(-1)).toMatchObject({
    type: "question.asked",
    data: { kind: "plan_approval", allowedPrompts: [{ tool: "Bash", prompt: "run tests" }] },
  });
});

test("always grants a fetch for its address, as with every agent", () => {
  const input = { url: "https://example.com/a", prompt: "What is there?" };
  const { alwaysScope } = permissionFor("WebFetch", input, undefined);
  expect(alwaysScope).toEqual([{ action: "fetch", pattern: "https://example.com/a" }]);
});

test("what steers and what is attached leaves no word of ours on Claude's wire", () => {
  const attachments = [{ path: "/tmp/a.png", mime: "image/png" }];
  const command = { type: "steer", messageId: "m1", text: "look", attachments } as const;
  const { replies } = claudeConverter.step(claudeConverter.initial(), { command });
  expect(JSON.stringify(replies)).not.toContain("muster");
});
