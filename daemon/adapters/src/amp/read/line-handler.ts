import type { z } from "zod";
import { type LineHandler as Handler, handleLine } from "../../converter/line-handler.ts";
import type { AmpNative } from "../wire/native.ts";
import type { AmpState, AmpStep } from "../wire/state.ts";

export type LineHandler = Handler<AmpState, AmpNative>;

export function lineHandler<T>(schema: z.ZodType<T>, step: (state: AmpState, line: T) => AmpStep): LineHandler {
  return handleLine("amp", schema, step);
}
