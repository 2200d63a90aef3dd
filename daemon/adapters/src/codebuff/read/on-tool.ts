import type { Part } from "@muster/schema";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { callOutcome } from "../../converter/tools/call-outcome.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { ToolCallLine, ToolProgressLine, ToolResultLine } from "../wire/native.ts";
import { agentOf, type CodebuffState, type CodebuffStep, goOn, parentOf, root } from "../wire/state.ts";
import { endCall, startCall } from "./calls.ts";
import { askPermission, askPlan, askQuestions, settleAsked } from "./on-ask.ts";
import { closeSpoken } from "./on-text.ts";
import { updatePlan } from "./plan-entries.ts";
import { errorOf, exitCodeOf, outputParts } from "./tool-output.ts";

/** A call is open until its result is known. One that asks for a permission is no call of the model's, and no item. */
export function onToolCall(state: CodebuffState, line: ToolCallLine): CodebuffStep {
  const { permission, plan, toolName } = line;
  if (toolName === "ask_user" && permission) return askPermission(state, line, permission);
  return chain(
    agentOf(line) === root ? goOn(state) : state,
    (before) => closeSpoken(before, agentOf(line)),
    (before) => startCall(before, line),
    (before) => {
      if (toolName !== "ask_user") return updatePlan(before, line);
      return plan ? askPlan(before, line, plan.text) : askQuestions(before, line);
    },
  );
}

export function onToolProgress(state: CodebuffState, line: ToolProgressLine): CodebuffStep {
  const call = state.calls.get(line.toolCallId);
  if (call === undefined) return emit(state, unparsed(line, "Progress of a call that is not open", "codebuff"));
  if (line.output === "") return emit(state);
  return emit(state, {
    type: "item.delta",
    data: { itemId: call.itemId, index: 0, part: "output", delta: line.output },
  });
}

/** A result ends its call and is an item of its own. One without a call is kept, and says so. */
export function onToolResult(state: CodebuffState, line: ToolResultLine): CodebuffStep {
  const { toolCallId, output } = line;
  const asked = state.asked.get(toolCallId);
  if (asked?.about === "permission") return settleAsked(state, toolCallId, output);
  const call = state.calls.get(toolCallId);
  const failed = errorOf(output) !== undefined;
  const { status, isError } = callOutcome({
    isCancelled: failed && call?.isCancelled,
    isError: failed,
    exitCode: exitCodeOf(output),
  });
  const agent = call?.agent ?? agentOf(line);
  const orphan: Part[] = call ? [] : [{ type: "status", label: "orphan", detail: `No call ${toolCallId} is open` }];
  return chain(
    state,
    (before) => closeSpoken(before, agent),
    (before) => settleAsked(before, toolCallId, output),
    (before) => endCall(before, toolCallId, status),
    (before) =>
      addItem(before, {
        nativeItemId: `${toolCallId}/result`,
        parentId: parentOf(before, agent),
        kind: "tool_result",
        role: "tool",
        status,
        content: [...outputParts(line, { input: call?.input, isError, directory: before.directory }), ...orphan],
      }),
  );
}
