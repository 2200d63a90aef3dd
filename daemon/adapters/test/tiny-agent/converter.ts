import type { Converter } from "../../src/converter/converter.ts";
import { emit } from "../../src/converter/steps.ts";
import type { TinyLine } from "./read/native.ts";
import { onLine, type TinyState } from "./read/on-line.ts";
import { writeCommand } from "./write/commands.ts";

export const tinyConverter: Converter<TinyState, TinyLine> = {
  initial: (resume) => ({ nextItem: resume?.nextItem ?? 1 }),
  step(state, input) {
    if ("native" in input) return onLine(state, input.native);
    return "command" in input ? { state, bodies: [], replies: writeCommand(input.command) } : emit(state);
  },
};
