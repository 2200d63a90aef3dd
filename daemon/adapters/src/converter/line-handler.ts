import type { z } from "zod";
import type { Step } from "./converter.ts";
import { emit } from "./steps.ts";
import { unparsed } from "./unparsed.ts";

/** How one kind of line is understood. */
export type LineHandler<State, Native> = (state: State, line: unknown) => Step<State, Native>;

/** A line whose fields are not as known is kept as it came. `agent` is where. */
export function handleLine<State, Native, T>(
  agent: string,
  schema: z.ZodType<T>,
  step: (state: State, line: T) => Step<State, Native>,
): LineHandler<State, Native> {
  return (state, line) => {
    const parsed = schema.safeParse(line);
    if (parsed.success) return step(state, parsed.data);
    const [issue] = parsed.error.issues;
    return emit(state, unparsed(line, `${issue?.path.join(".")}: ${issue?.message}`, agent));
  };
}
