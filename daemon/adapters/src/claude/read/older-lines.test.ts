import { expect, test } from "vitest";
import { claudeConverter } from "../converter.ts";
import type { ClaudeNative } from "./native.ts";
import type { ClaudeState } from "./state.ts";
import { permissionFor } from "./tools/tools.ts";

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
