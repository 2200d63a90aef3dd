import { z } from "zod";
import { AgentOutput } from "./agents/agent-output.ts";
import { SessionState } from "./agents/session-state.ts";
import { FinishStatus, PrintModeEvent } from "./events.ts";

/** A piece of text as it streams, or an event. An empty piece, here and below, ends the block that the pieces before it are. */
const ResponseChunkAction = z.object({
  type: z.literal("response-chunk"),
  chunk: z.union([z.string(), PrintModeEvent]),
});
const SubagentResponseChunkAction = z.object({
  type: z.literal("subagent-response-chunk"),
  agentId: z.string(),
  agentType: z.string(),
  chunk: z.string(),
});
const PromptResponseAction = z.object({
  type: z.literal("prompt-response"),
  sessionState: SessionState,
  output: AgentOutput,
  status: FinishStatus,
});
/** `sessionState` is there unless the run broke before it had one. */
const PromptErrorAction = z.object({
  type: z.literal("prompt-error"),
  message: z.string(),
  error: z.string().optional(),
  statusCode: z.int().optional(),
  status: FinishStatus,
  sessionState: SessionState.optional(),
});

/** What the runtime says while a prompt runs. The last one is `prompt-response` or `prompt-error`, never both. */
export const RuntimeAction = z.discriminatedUnion("type", [
  ResponseChunkAction,
  SubagentResponseChunkAction,
  PromptResponseAction,
  PromptErrorAction,
]);
export type RuntimeAction = z.infer<typeof RuntimeAction>;
