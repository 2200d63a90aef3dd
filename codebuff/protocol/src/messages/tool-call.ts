import { z } from "zod";
import { ToolOutput } from "./tool-output.ts";

/** A call as the model made it: the name may be unknown and the input not yet checked. */
export const ToolCall = z.object({
  toolName: z.string(),
  toolCallId: z.string(),
  input: z.record(z.string(), z.json()),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolCallResult = z.object({
  toolName: z.string(),
  toolCallId: z.string(),
  output: ToolOutput,
  /** From when it was its turn, without the time a person was asked. */
  durationMs: z.number().min(0).optional(),
});
export type ToolCallResult = z.infer<typeof ToolCallResult>;
