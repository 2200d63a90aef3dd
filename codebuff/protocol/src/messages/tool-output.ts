import { z } from "zod";

export const JsonPart = z.object({ type: z.literal("json"), value: z.json() });
export type JsonPart = z.infer<typeof JsonPart>;

/** `data` is base64. */
export const MediaPart = z.object({ type: z.literal("media"), data: z.string(), mediaType: z.string() });
export type MediaPart = z.infer<typeof MediaPart>;

export const ToolOutputPart = z.discriminatedUnion("type", [JsonPart, MediaPart]);
export type ToolOutputPart = z.infer<typeof ToolOutputPart>;

/** What every tool call ends with, also when it failed: a failure is a json part whose value has `errorMessage`. */
export const ToolOutput = z.array(ToolOutputPart);
export type ToolOutput = z.infer<typeof ToolOutput>;

export const ToolError = z.looseObject({ errorMessage: z.string() });
export type ToolError = z.infer<typeof ToolError>;

export function errorOutput(errorMessage: string): ToolOutput {
  return [{ type: "json", value: { errorMessage } }];
}

/** Why a call that the person stopped has no result; every room that notices says the same. */
export const interruptedMessage = "Interrupted by the user";

/** The text of the first failure in an output, or undefined when every part succeeded. */
export function outputError(output: ToolOutput): string | undefined {
  for (const part of output) {
    if (part.type !== "json") continue;
    const failure = ToolError.safeParse(part.value);
    if (failure.success) return failure.data.errorMessage;
  }
  return undefined;
}
