import type { z } from "zod";
import { emit } from "../../converter/steps.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { ClaudeState, ClaudeStep } from "./state.ts";

/** How one kind of line is understood. */
export type LineHandler = (state: ClaudeState, line: unknown) => ClaudeStep;

/** A line whose fields are not as known is kept as it came. */
export function lineHandler<T>(schema: z.ZodType<T>, step: (state: ClaudeState, line: T) => ClaudeStep): LineHandler {
  return (state, line) => {
    const parsed = schema.safeParse(line);
    if (parsed.success) return step(state, parsed.data);
    const [issue] = parsed.error.issues;
    return emit(state, unparsed(line, `${issue?.path.join(".")}: ${issue?.message}`, "claude"));
  };
}

/** The ignorable lines: signs of life, and what another line says as well. */
export const ignore: LineHandler = (state) => emit(state);
