import { z } from "zod";
import { ImagePart, TextPart } from "./messages/history.ts";
import { ToolOutput } from "./messages/tool-output.ts";
import { ModeName } from "./modes.ts";

/** What a run's process takes on stdin, one per line. While idle a user message begins a run, while running it steers. */
export const ControlLine = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("user_message"),
    messageId: z.string().min(1).optional(),
    text: z.string(),
    content: z.array(z.discriminatedUnion("type", [TextPart, ImagePart])).optional(),
    mode: ModeName.optional(),
  }),
  /** Answers an open ask_user: a question, a permission or a plan. */
  z.looseObject({ type: z.literal("tool_result"), toolCallId: z.string(), output: ToolOutput }),
  z.looseObject({ type: z.literal("cancel") }),
  /** Holds from the next run on. */
  z.looseObject({
    type: z.literal("update"),
    model: z.string().optional(),
    variant: z.string().optional(),
    mode: ModeName.optional(),
    permissions: z.string().optional(),
  }),
]);
export type ControlLine = z.infer<typeof ControlLine>;

/** First line of a kept-open process: credentials and settings are good. */
export const ReadyLine = z.looseObject({
  type: z.literal("ready"),
  sessionId: z.string(),
  version: z.string(),
  /** Where it works; paths in its lines are relative to it. */
  cwd: z.string(),
  model: z.string(),
  agentId: z.string(),
  mode: ModeName,
  messageHistoryLength: z.int().min(0),
  contextLost: z.boolean().optional(),
});
export type ReadyLine = z.infer<typeof ReadyLine>;
