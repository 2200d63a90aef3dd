import { z } from "zod";
import { PlanMark } from "./agents/steps.ts";
import { ToolOutput } from "./messages/tool-output.ts";

// Readers must let unknown fields pass, so every event is a loose object and an unknown type is not an error.
const text = z.string();
const toolName = z.string();
const toolCallId = z.string();
const agentId = z.string().optional();
const parentAgentId = z.string().optional();
const input = z.record(z.string(), z.json());

export const Usage = z.looseObject({
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cachedInputTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const FinishStatus = z.enum(["completed", "failed", "cancelled", "timeout", "max_steps"]);
export type FinishStatus = z.infer<typeof FinishStatus>;

/** A permission that waits for a person; it names the call that needs it. */
export const PermissionMark = z.looseObject({
  toolCallId: z.string(),
  action: z.string(),
  title: z.string(),
  command: z.string().optional(),
  paths: z.array(z.string()).optional(),
  diff: z.string().optional(),
});
export type PermissionMark = z.infer<typeof PermissionMark>;

const StartEvent = z.looseObject({
  type: z.literal("start"),
  sessionId: z.string().optional(),
  agentId,
  model: z.string().optional(),
  messageHistoryLength: z.int().min(0),
  /** The message this run answers, when its sender gave it an id. */
  messageId: z.string().optional(),
});
const TextEvent = z.looseObject({ type: z.literal("text"), text, agentId });
const ReasoningEvent = z.looseObject({
  type: z.literal("reasoning_delta"),
  text,
  runId: z.string(),
  ancestorRunIds: z.array(z.string()),
  agentId,
});
const ToolCallEvent = z.looseObject({
  type: z.literal("tool_call"),
  toolCallId,
  toolName,
  input,
  agentId,
  parentAgentId,
  includeToolCall: z.boolean().optional(),
  /** What had to be mended in the arguments before they could be read. */
  repaired: z.array(z.string()).optional(),
  /** Only on ask_user, and never from the model's own input: a plan or a permission waits for a person. */
  plan: PlanMark.optional(),
  permission: PermissionMark.optional(),
});
/** `output` pieces are appendable. */
const ToolProgressEvent = z.looseObject({
  type: z.literal("tool_progress"),
  toolCallId,
  toolName,
  output: z.string(),
  agentId,
  parentAgentId,
});
const ToolResultEvent = z.looseObject({
  type: z.literal("tool_result"),
  toolCallId,
  toolName,
  output: ToolOutput,
  agentId,
  parentAgentId,
});
const subagent = {
  agentId: z.string(),
  agentType: z.string(),
  displayName: z.string(),
  onlyChild: z.boolean(),
  model: z.string().optional(),
  parentAgentId,
  params: input.optional(),
  prompt: z.string().optional(),
  runId: z.string().optional(),
  /** The call that spawned it. */
  toolCallId: z.string().optional(),
};
const SubagentStartEvent = z.looseObject({ type: z.literal("subagent_start"), ...subagent });
const SubagentFinishEvent = z.looseObject({ type: z.literal("subagent_finish"), ...subagent });
/**
 * `fatal: false` means the run goes on. With code `withdrawn` a step is tried again: the last `characters` of text of
 * `agentId` and the calls in `toolCallIds` do not count.
 */
const ErrorEvent = z.looseObject({
  type: z.literal("error"),
  message: z.string(),
  code: z.string().optional(),
  fatal: z.boolean().optional(),
  statusCode: z.int().optional(),
  agentId,
  characters: z.int().min(0).optional(),
  toolCallIds: z.array(z.string()).optional(),
});
const DownloadEvent = z.looseObject({
  type: z.literal("download"),
  version: z.string(),
  status: z.enum(["complete", "failed"]),
});
/** `totalCost` is in credits, one credit is one US cent; dollars are in `totalCostUsd`. */
const FinishEvent = z.looseObject({
  type: z.literal("finish"),
  sessionId: z.string().optional(),
  agentId,
  totalCost: z.number().min(0),
  totalCostUsd: z.number().min(0).optional(),
  status: FinishStatus.optional(),
  usage: Usage.optional(),
  steps: z.int().min(0).optional(),
  /** A model without a known price took part; `totalCost` is what is known. */
  costUnknown: z.boolean().optional(),
  /** An answer was interrupted or broke off before its service told what it cost; its part is reckoned by its length. */
  costEstimated: z.boolean().optional(),
});

/** One line of `--stream-json`. The first of a run is `start` (a `download` may stand before it), the last is `finish`. */
export const PrintModeEvent = z.discriminatedUnion("type", [
  StartEvent,
  TextEvent,
  ReasoningEvent,
  ToolCallEvent,
  ToolProgressEvent,
  ToolResultEvent,
  SubagentStartEvent,
  SubagentFinishEvent,
  ErrorEvent,
  DownloadEvent,
  FinishEvent,
]);
export type PrintModeEvent = z.infer<typeof PrintModeEvent>;
export type PrintModeEventOf<Type extends PrintModeEvent["type"]> = Extract<PrintModeEvent, { type: Type }>;
