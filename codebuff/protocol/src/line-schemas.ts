import { z } from "zod";
import { ControlLine, JoinedLine, ReadyLine, RewoundLine } from "./control-lines.ts";
import { PrintModeEvent } from "./events.ts";
import { JsonResult } from "./json-result.ts";

/** The lines a program exchanges with the command, by who writes them: the guide and the JSON Schemas are made of them. */
export const lineSchemas = {
  /** `--stream-json`, and the kept-open form with its two lines more. */
  output: z.discriminatedUnion("type", [...PrintModeEvent.options, ReadyLine, JoinedLine, RewoundLine]),
  /** Standard input of both. */
  control: ControlLine,
  /** `--json`. */
  result: JsonResult,
} as const;

export function linesJsonSchema(lines: keyof typeof lineSchemas): Record<string, unknown> {
  return z.toJSONSchema(lineSchemas[lines], { io: "input" });
}
