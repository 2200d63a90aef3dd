import type { Converter, Input } from "../converter/converter.ts";
import { unparsed } from "../converter/unparsed.ts";
import { saidFrom } from "./inverse/to-native.ts";
import { ignored, type Reading, reading } from "./read/line-handler.ts";
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
} from "./read/native.ts";
import { said } from "./read/on-assistant.ts";
import { lived } from "./read/on-command-lifecycle.ts";
import { requested, withdrawn } from "./read/on-control-request.ts";
import { responded } from "./read/on-control-response.ts";
import { resulted } from "./read/on-result.ts";
import { streamed } from "./read/on-stream-event.ts";
import { noticed } from "./read/on-system.ts";
import { heard } from "./read/on-user.ts";
import { type ClaudeState, initialState, messageItem, noted, type Told, told, whole } from "./read/state.ts";
import { commandOf, ordered } from "./write/commands.ts";

export const claudeConverter: Converter<ClaudeState, ClaudeNative> = {
  initial: initialState,

  step(state: ClaudeState, input: Input<ClaudeNative>): Told {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return ordered(state, input.command);
    if ("tick" in input) return told({ ...state, nowMs: input.nowMs });
    return told(state);
  },

  fromUniversal: saidFrom,
  inputFromNative: commandOf,
};

const noteAs =
  (label: string): Reading =>
  (state, line) =>
    noted(state, label, JSON.stringify(line));

/** type → what it means. Those marked with R are in the typings of 2.1.325 and were not seen. */
const readings: Readonly<Record<string, Reading>> = {
  stream_event: reading(StreamLine, streamed),
  assistant: reading(AssistantLine, said),
  user: reading(UserLine, heard),
  system: (state, line) => noticed(state, line as { subtype?: unknown }),
  result: reading(ResultLine, resulted),
  command_lifecycle: reading(LifecycleLine, lived),
  control_request: reading(ControlRequestLine, requested),
  control_response: reading(ControlResponseLine, responded),
  control_cancel_request: reading(CancelLine, (state, line) => withdrawn(state, line.request_id)),
  conversation_reset: (state) => noted(state, "conversation cleared"),
  rate_limit_event: noteAs("rate limit"), // R
  tool_use_summary: noteAs("tools used"), // R
  auth_status: noteAs("authentication"), // R
  active_goal: noteAs("goal"), // R
  tool_progress: ignored, // R
  prompt_suggestion: ignored, // R
  keep_alive: ignored, // R
};

function stepNative(state: ClaudeState, native: unknown): Told {
  // One-shot calls of old answered with the text alone, or with an object that has nothing but the result.
  if (typeof native === "string") return whole(state, messageItem({ what: "text", text: native, status: "completed" }));
  if (typeof native !== "object" || native === null || Array.isArray(native)) {
    return told(state, unparsed(native, "The line is not an object", "claude"));
  }
  const type = "type" in native ? native.type : "result" in native ? "result" : undefined;
  const read = typeof type === "string" && Object.hasOwn(readings, type) ? readings[type] : undefined;
  if (read === undefined) return told(state, unparsed(native, `Unknown line: ${JSON.stringify(type)}`, "claude"));
  return read(state, native);
}
