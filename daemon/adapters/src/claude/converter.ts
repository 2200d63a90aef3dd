import type { Converter, Input } from "../converter/converter.ts";
import { handleByType } from "../converter/line-handler.ts";
import { addStatus, emit } from "../converter/steps.ts";
import { ignore, type LineHandler, lineHandler } from "./read/line-handler.ts";
import { nameCalls, onBlockLine, onPlainText } from "./read/older-lines.ts";
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
  UserLine,
} from "./wire/native.ts";
import { type ClaudeState, type ClaudeStep, initialState } from "./wire/state.ts";
import { writeCommand } from "./write/commands.ts";

export const claudeConverter: Converter<ClaudeState, ClaudeNative> = {
  initial: initialState,

  step(state: ClaudeState, input: Input<ClaudeNative>): ClaudeStep {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return writeCommand(state, input.command);
    if ("tick" in input) return emit({ ...state, nowMs: input.nowMs });
    return emit(state);
  },
};

const statusHandler =
  (label: string): LineHandler =>
  (state, line) =>
    addStatus(state, { label, detail: JSON.stringify(line) });

const onAssistantLine = nameCalls(lineHandler(AssistantLine, onAssistant));
const onUserLine = nameCalls(lineHandler(UserLine, onUser));

/** type → what it means. Those marked with R are in the typings of 2.1.325 and were not seen. */
const handlers: Readonly<Record<string, LineHandler>> = {
  stream_event: lineHandler(StreamLine, onStreamEvent),
  assistant: onAssistantLine,
  user: onUserLine,
  system: (state, line) => onSystem(state, line as { subtype?: unknown }),
  result: lineHandler(ResultLine, onResult),
  command_lifecycle: lineHandler(LifecycleLine, onCommandLifecycle),
  control_request: lineHandler(ControlRequestLine, onControlRequest),
  control_response: lineHandler(ControlResponseLine, onControlResponse),
  control_cancel_request: lineHandler(CancelLine, (state, line) => onControlCancel(state, line.request_id)),
  tool_use: onBlockLine("assistant", onAssistantLine),
  tool_result: onBlockLine("user", onUserLine),
  conversation_reset: (state) => addStatus(state, { label: "conversation cleared" }),
  rate_limit_event: statusHandler("rate limit"), // R
  tool_use_summary: statusHandler("tools used"), // R
  auth_status: statusHandler("authentication"), // R
  active_goal: statusHandler("goal"), // R
  tool_progress: ignore, // R
  prompt_suggestion: ignore, // R
  keep_alive: ignore, // R
};

const onLine = handleByType("claude", handlers, (native) =>
  "type" in native ? native.type : isBareResult(native) ? "result" : undefined,
);

function stepNative(state: ClaudeState, native: unknown): ClaudeStep {
  return typeof native === "string" ? onPlainText(state, native) : onLine(state, native);
}

/** Old answers of one-shot calls have no type; one of these fields makes them a result. */
function isBareResult(native: object): boolean {
  return ["result", "error", "structured_output", "session_id"].some((field) => field in native);
}
