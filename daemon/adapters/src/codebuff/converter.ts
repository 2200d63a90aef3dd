import type { z } from "zod";
import type { Converter, Input } from "../converter/converter.ts";
import { handleByType, handleLine, type LineHandler } from "../converter/line-handler.ts";
import { addStatus, emit } from "../converter/steps.ts";
import { onError } from "./read/on-error.ts";
import { onExit, onFinish } from "./read/on-finish.ts";
import { onJoined } from "./read/on-joined.ts";
import { onReady, onStart } from "./read/on-start.ts";
import { onSubagentFinish, onSubagentStart } from "./read/on-subagent.ts";
import { onReasoning, onText } from "./read/on-text.ts";
import { onToolCall, onToolProgress, onToolResult } from "./read/on-tool.ts";
import {
  type CodebuffNative,
  DownloadLine,
  ErrorLine,
  FinishLine,
  JoinedLine,
  ReadyLine,
  ReasoningLine,
  StartLine,
  SubagentLine,
  TextLine,
  ToolCallLine,
  ToolProgressLine,
  ToolResultLine,
} from "./wire/native.ts";
import { type CodebuffState, type CodebuffStep, initialState } from "./wire/state.ts";
import { writeCommand } from "./write/commands.ts";

export const codebuffConverter: Converter<CodebuffState, CodebuffNative> = {
  initial: initialState,

  step(state: CodebuffState, input: Input<CodebuffNative>): CodebuffStep {
    if ("native" in input) return stepNative(state, input.native);
    if ("command" in input) return writeCommand(state, input.command);
    if ("exit" in input) return onExit(state, input.exit);
    return emit(state);
  },
};

function line<T>(schema: z.ZodType<T>, step: (state: CodebuffState, line: T) => CodebuffStep) {
  return handleLine<CodebuffState, CodebuffNative, T>("codebuff", schema, step);
}

/** type → what it means */
const handlers: Readonly<Record<string, LineHandler<CodebuffState, CodebuffNative>>> = {
  ready: line(ReadyLine, onReady),
  start: line(StartLine, onStart),
  text: line(TextLine, onText),
  reasoning_delta: line(ReasoningLine, onReasoning),
  tool_call: line(ToolCallLine, onToolCall),
  tool_progress: line(ToolProgressLine, onToolProgress),
  tool_result: line(ToolResultLine, onToolResult),
  subagent_start: line(SubagentLine, onSubagentStart),
  subagent_finish: line(SubagentLine, onSubagentFinish),
  user_message_joined: line(JoinedLine, onJoined),
  error: line(ErrorLine, onError),
  finish: line(FinishLine, onFinish),
  download: line(DownloadLine, (state, { version, status }) =>
    addStatus(state, { label: `download ${status}`, detail: version }),
  ),
};

const stepNative = handleByType("codebuff", handlers);
