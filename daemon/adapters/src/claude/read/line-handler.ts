import type { z } from "zod";
import { type LineHandler as Handler, handleLine } from "../../converter/line-handler.ts";
import { emit } from "../../converter/steps.ts";
import type { ClaudeNative } from "../wire/native.ts";
import type { ClaudeState, ClaudeStep } from "../wire/state.ts";

export type LineHandler = Handler<ClaudeState, ClaudeNative>;

export function lineHandler<T>(schema: z.ZodType<T>, step: (state: ClaudeState, line: T) => ClaudeStep): LineHandler {
  return handleLine("claude", schema, step);
}

/** The ignorable lines: signs of life, and what another line says as well. */
export const ignore: LineHandler = (state) => emit(state);
