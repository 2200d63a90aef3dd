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

/** Each line to the handler of its type; what is no object or of no known type is kept as it came. */
export function handleByType<State, Native>(
  agent: string,
  handlers: Readonly<Record<string, LineHandler<State, Native>>>,
  typeOf: (native: object) => unknown = (native) => ("type" in native ? native.type : undefined),
): LineHandler<State, Native> {
  return (state, native) => {
    if (typeof native !== "object" || native === null || Array.isArray(native)) {
      return emit(state, unparsed(native, "The line is not an object", agent));
    }
    const type = typeOf(native);
    const read = typeof type === "string" && Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    return read?.(state, native) ?? emit(state, unparsed(native, `Unknown line: ${JSON.stringify(type)}`, agent));
  };
}
