import type { Converter, Input } from "../converter/converter.ts";
import { addItem, addStatus, emit } from "../converter/steps.ts";
import { unparsed } from "../converter/unparsed.ts";
import { isSayable } from "./inverse/law-exceptions.ts";
import { commandOf } from "./inverse/to-command.ts";
import { nativeLine } from "./inverse/to-native.ts";
import { ignore, type LineHandler, lineHandler } from "./read/line-handler.ts";
import { onAssistant } from "./read/on-assistant.ts";
import { onCommandLifecycle } from "./read/on-command-lifecycle.ts";
import { onControlCancel, onControlRequest } from "./read/on-control-request.ts";
import { onControlResponse } from "./read/on-control-response.ts";
import { onResult } from "./read/on-result.ts";
import { onStreamEvent } from "./read/on-stream-event.ts";
import { onSystem } from "./read/on-system.ts";
import { onUser } from "./read/on-user.ts";
import {
  AssistantLine,
  CancelLine,
  type ClaudeNative,
  ControlRequestLine,
  ControlResponseLine,
  LifecycleLine,
  ResultLine,
  StreamLine,
  ToolResultBlock,
  ToolUse,
  UserLine,
} from "./wire/native.ts";
import { type ClaudeState, type ClaudeStep, initialState, messageItem } from "./wire/state.ts";
import { writeCommand } from "./write/commands.ts";

export const claudeConverter: Converter<ClaudeState, ClaudeNative> = {
  initial: initialState,

  step(state: ClaudeState, input: Input<ClaudeNative>): ClaudeStep {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return writeCommand(state, input.command);
    if ("tick" in input) return emit({ ...state, nowMs: input.nowMs });
    return emit(state);
  },

  fromUniversal: (body) => (isSayable(body) ? nativeLine(body) : null),
  inputFromNative: commandOf,
};

const statusHandler =
  (label: string): LineHandler =>
  (state, line) =>
    addStatus(state, { label, detail: JSON.stringify(line) });

/** type → what it means. Those marked with R are in the typings of 2.1.325 and were not seen. */
const handlers: Readonly<Record<string, LineHandler>> = {
  stream_event: lineHandler(StreamLine, onStreamEvent),
  assistant: lineHandler(AssistantLine, onAssistant),
  user: lineHandler(UserLine, onUser),
  system: (state, line) => onSystem(state, line as { subtype?: unknown }),
  result: lineHandler(ResultLine, onResult),
  command_lifecycle: lineHandler(LifecycleLine, onCommandLifecycle),
  control_request: lineHandler(ControlRequestLine, onControlRequest),
  control_response: lineHandler(ControlResponseLine, onControlResponse),
  control_cancel_request: lineHandler(CancelLine, (state, line) => onControlCancel(state, line.request_id)),
  tool_use: lineHandler(ToolUse, (state, block) => onAssistant(state, assistantLineOf(block))),
  tool_result: lineHandler(ToolResultBlock, (state, block) => onUser(state, userLineOf(block))),
  conversation_reset: (state) => addStatus(state, { label: "conversation cleared" }),
  rate_limit_event: statusHandler("rate limit"), // R
  tool_use_summary: statusHandler("tools used"), // R
  auth_status: statusHandler("authentication"), // R
  active_goal: statusHandler("goal"), // R
  tool_progress: ignore, // R
  prompt_suggestion: ignore, // R
  keep_alive: ignore, // R
};

function stepNative(state: ClaudeState, native: unknown): ClaudeStep {
  // One-shot calls of old answered with the text alone, or with an object that has nothing but the result.
  if (typeof native === "string")
    return addItem(state, messageItem({ what: "text", text: native, status: "completed" }));
  if (typeof native !== "object" || native === null || Array.isArray(native)) {
    return emit(state, unparsed(native, "The line is not an object", "claude"));
  }
  const type = "type" in native ? native.type : isBareResult(native) ? "result" : undefined;
  const read = typeof type === "string" && Object.hasOwn(handlers, type) ? handlers[type] : undefined;
  if (read === undefined) return emit(state, unparsed(native, `Unknown line: ${JSON.stringify(type)}`, "claude"));
  return read(state, native);
}

/** Blocks that stand alone, as older versions printed them. */
function assistantLineOf(block: ToolUse): AssistantLine {
  return { type: "assistant", message: { id: block.id, content: [block] } };
}

function userLineOf(block: ToolResultBlock): UserLine {
  return { type: "user", message: { content: [block] } };
}

/** Old answers of one-shot calls have no type; one of these fields makes them a result. */
function isBareResult(native: object): boolean {
  return ["result", "error", "structured_output", "session_id"].some((field) => field in native);
}
