import type { z } from "zod";
import { unparsed } from "../../converter/unparsed.ts";
import { type ClaudeState, type Told, told } from "./state.ts";

/** How one kind of line is understood. */
export type Reading = (state: ClaudeState, line: unknown) => Told;

/** A line whose fields are not as known is kept as it came. */
export function reading<T>(schema: z.ZodType<T>, step: (state: ClaudeState, line: T) => Told): Reading {
  return (state, line) => {
    const parsed = schema.safeParse(line);
    if (parsed.success) return step(state, parsed.data);
    const [issue] = parsed.error.issues;
    return told(state, unparsed(line, `${issue?.path.join(".")}: ${issue?.message}`, "claude"));
  };
}

/** The ignorable lines: signs of life, and what another line says as well. */
export const ignored: Reading = (state) => told(state);
