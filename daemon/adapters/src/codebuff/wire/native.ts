import { isRecord } from "@muster/core";
import { z } from "zod";

/** The fields of Codebuff's lines that are read here; others may stand beside them and are left alone. */
const text = z.string();
const owner = { agentId: text.nullish(), parentAgentId: text.nullish() };
/** Passed on as it is: a copy of zod's would lose a key named `__proto__`. */
const input = z.custom<Record<string, unknown>>(isRecord, "expected an object");

export const ReadyLine = z.object({
  sessionId: text,
  version: text,
  cwd: text.nullish(),
  model: text.nullish(),
  agentId: text.nullish(),
  mode: text.nullish(),
  messageHistoryLength: z.number().nullish(),
  contextLost: z.boolean().nullish(),
});
export type ReadyLine = z.infer<typeof ReadyLine>;

export const StartLine = z.object({
  sessionId: text.nullish(),
  agentId: text.nullish(),
  model: text.nullish(),
  messageHistoryLength: z.number().nullish(),
  messageId: text.nullish(),
});
export type StartLine = z.infer<typeof StartLine>;

export const TextLine = z.object({ text, agentId: text.nullish() });
export type TextLine = z.infer<typeof TextLine>;

export const ReasoningLine = z.object({
  text,
  runId: text.nullish(),
  ancestorRunIds: z.array(text).nullish(),
  agentId: text.nullish(),
});
export type ReasoningLine = z.infer<typeof ReasoningLine>;

/** Beside the input of an ask_user call, where no model can forge it. */
export const PermissionMark = z.object({
  toolCallId: text,
  action: text,
  tool: text.nullish(),
  title: text,
  reason: text.nullish(),
  command: text.nullish(),
  paths: z.array(text).nullish(),
  diff: text.nullish(),
  url: text.nullish(),
});
export type PermissionMark = z.infer<typeof PermissionMark>;

export const ToolCallLine = z.object({
  toolCallId: text,
  toolName: text,
  input,
  ...owner,
  plan: z.object({ text }).nullish(),
  permission: PermissionMark.nullish(),
});
export type ToolCallLine = z.infer<typeof ToolCallLine>;

export const ToolProgressLine = z.object({ toolCallId: text, output: text });
export type ToolProgressLine = z.infer<typeof ToolProgressLine>;

const OutputPart = z.union([
  z.object({ type: z.literal("json"), value: z.unknown() }),
  z.object({ type: z.literal("media"), data: text, mediaType: text }),
  z.looseObject({ type: text }),
]);
export type OutputPart = z.infer<typeof OutputPart>;

export const ToolResultLine = z.object({ toolCallId: text, toolName: text, output: z.array(OutputPart), ...owner });
export type ToolResultLine = z.infer<typeof ToolResultLine>;

export const SubagentLine = z.object({
  agentId: text,
  agentType: text,
  displayName: text,
  onlyChild: z.boolean().nullish(),
  model: text.nullish(),
  parentAgentId: text.nullish(),
  params: input.nullish(),
  prompt: text.nullish(),
  runId: text.nullish(),
  toolCallId: text.nullish(),
});
export type SubagentLine = z.infer<typeof SubagentLine>;

export const ErrorLine = z.object({
  message: text,
  code: text.nullish(),
  fatal: z.boolean().nullish(),
  statusCode: z.number().nullish(),
  agentId: text.nullish(),
  characters: z.number().nullish(),
  toolCallIds: z.array(text).nullish(),
  untilMs: z.number().nullish(),
});
export type ErrorLine = z.infer<typeof ErrorLine>;

export const DownloadLine = z.object({ version: text, status: text });

const count = z.int().nonnegative().nullish();
export const FinishLine = z.object({
  sessionId: text.nullish(),
  agentId: text.nullish(),
  totalCost: z.number().nonnegative(),
  totalCostUsd: z.number().nonnegative().nullish(),
  status: text.nullish(),
  entry: z.int().nonnegative().nullish(),
  usage: z
    .object({ inputTokens: count, outputTokens: count, cachedInputTokens: count, reasoningTokens: count })
    .nullish(),
  costUnknown: z.boolean().nullish(),
});
export type FinishLine = z.infer<typeof FinishLine>;

export const JoinedLine = z.object({ messageId: text });

/** The input of ask_user: what a model made of it may lack anything but the question. */
export const AskedQuestion = z.object({
  question: text,
  header: text.nullish(),
  options: z.array(z.object({ label: text, description: text.nullish() })).nullish(),
  multiSelect: z.boolean().nullish(),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;
export const AskUserInput = z.object({ questions: z.array(AskedQuestion).min(1) });

/** One line as Codebuff says it. */
export interface SaidLine {
  type: string;
  [field: string]: unknown;
}

/** What our lines to Codebuff carry. An attachment stands for its content until the line is written. */
export const ContentPart = z.union([
  z.object({ type: z.literal("attachment"), path: text, mime: text, filename: text.optional() }),
  z.object({ type: z.literal("text"), text }),
  z.object({ type: z.literal("image"), image: text, mediaType: text }),
]);
export type ContentPart = z.infer<typeof ContentPart>;

export const HeardLine = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("user_message"),
    messageId: text,
    text,
    content: z.array(ContentPart).optional(),
  }),
  z.object({
    type: z.literal("tool_result"),
    toolCallId: text,
    output: z.tuple([z.object({ type: z.literal("json"), value: z.record(z.string(), z.unknown()) })]),
  }),
  z.object({ type: z.literal("cancel") }),
  z.object({
    type: z.literal("update"),
    model: text.optional(),
    variant: text.optional(),
    mode: text.optional(),
    permissions: text.optional(),
  }),
]);
export type HeardLine = z.infer<typeof HeardLine>;

export type CodebuffNative = SaidLine | HeardLine;
