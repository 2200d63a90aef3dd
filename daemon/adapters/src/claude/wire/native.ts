import { AttachmentInfo } from "@muster/schema";
import { z } from "zod";

/** What Claude Code 2.1 prints and reads, one JSON object per line: only the fields we read, unknown fields pass. */

const text = z.string();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

export const ApiUsage = z.object({
  input_tokens: maybe(z.number()),
  output_tokens: maybe(z.number()),
  cache_read_input_tokens: maybe(z.number()),
  cache_creation_input_tokens: maybe(z.number()),
  output_tokens_details: maybe(z.object({ thinking_tokens: maybe(z.number()) })),
});
export type ApiUsage = z.infer<typeof ApiUsage>;

export const ModelUsage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadInputTokens: maybe(z.number()),
  cacheCreationInputTokens: maybe(z.number()),
  thinkingTokens: maybe(z.number()),
  contextWindow: maybe(z.number()),
  costUSD: maybe(z.number()),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** An input is always there, if only as an empty object. */
const input = z.unknown().refine((value) => value !== undefined, "missing");
export const ToolUse = z.object({ type: z.literal("tool_use"), id: text, name: text, input });
export type ToolUse = z.infer<typeof ToolUse>;
const TextBlock = z.object({ type: z.literal("text"), text });
const ThinkingBlock = z.object({ type: z.literal("thinking"), thinking: text });
/** Everything else a message may hold; it is shown as it came. */
const OtherBlock = z.looseObject({ type: text });

/** A block of a known type must have the fields of that type, or the line is not understood. */
const blockOf = <T extends z.ZodType>(known: T, types: readonly string[]) =>
  z.union([known, OtherBlock.refine(({ type }) => !types.includes(type), "a known type without its fields")]);

const AssistantBlock = blockOf(z.discriminatedUnion("type", [TextBlock, ThinkingBlock, ToolUse]), [
  "text",
  "thinking",
  "tool_use",
]);
export type AssistantBlock = z.infer<typeof AssistantBlock>;
export const isToolUse = (block: AssistantBlock): block is ToolUse => block.type === "tool_use";
export const isTextual = (block: AssistantBlock): block is z.infer<typeof TextBlock> | z.infer<typeof ThinkingBlock> =>
  block.type === "text" || block.type === "thinking";

const ResultImage = z.object({ type: z.literal("image"), source: z.looseObject({ type: text }) });
export const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: text,
  content: maybe(
    z.union([text, z.array(blockOf(z.discriminatedUnion("type", [TextBlock, ResultImage]), ["text", "image"]))]),
  ),
  is_error: maybe(z.boolean()),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;
const UserBlock = blockOf(z.discriminatedUnion("type", [ToolResultBlock, TextBlock]), ["tool_result", "text"]);

const inside = { parent_tool_use_id: maybe(text) };

export const AssistantLine = z.object({
  type: z.literal("assistant"),
  message: z.object({
    id: maybe(text),
    model: maybe(text),
    stop_reason: maybe(text),
    content: z.array(AssistantBlock),
  }),
  ...inside,
  uuid: maybe(text),
  error: maybe(text),
  is_api_error_message: maybe(z.boolean()),
  api_error_status: maybe(z.number()),
  api_error_type: maybe(text),
  aborted: maybe(z.boolean()),
});
export type AssistantLine = z.infer<typeof AssistantLine>;

export const UserLine = z.object({
  type: z.literal("user"),
  message: z.object({
    content: z.union([text, z.array(UserBlock)]),
  }),
  ...inside,
  uuid: maybe(text),
  isSynthetic: maybe(z.boolean()),
  isReplay: maybe(z.boolean()),
  tool_use_result: z.unknown().optional(),
  tool_result_meta: maybe(z.array(z.object({ id: text, non_execution_kind: maybe(text) }))),
});
export type UserLine = z.infer<typeof UserLine>;

const Delta = blockOf(
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("text_delta"), text }),
    z.object({ type: z.literal("thinking_delta"), thinking: text }),
    z.object({ type: z.literal("input_json_delta"), partial_json: text }),
  ]),
  ["text_delta", "thinking_delta", "input_json_delta"],
);

const StreamEvent = z.union([
  z.object({ type: z.literal("content_block_delta"), index: z.int(), delta: Delta }),
  z.object({ type: z.literal("message_start"), message: z.object({ id: text, usage: maybe(ApiUsage) }) }),
  z.object({
    type: z.literal("content_block_start"),
    index: z.int(),
    content_block: AssistantBlock,
  }),
  z.object({ type: z.literal("content_block_stop"), index: z.int() }),
  z.object({ type: z.literal("message_delta"), usage: maybe(ApiUsage) }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("ping") }),
]);

export const StreamLine = z.object({
  type: z.literal("stream_event"),
  event: StreamEvent,
  ...inside,
  api_message_id: maybe(text),
  abandoned_blocks: maybe(z.object({ api_message_id: text, from_block_index: z.int() })),
});
export type StreamLine = z.infer<typeof StreamLine>;

/** The end of a turn. The fields without a `type` are all that old one-shot answers have. */
export const ResultLine = z.object({
  type: z.literal("result").optional(),
  subtype: maybe(text),
  is_error: maybe(z.boolean()),
  terminal_reason: maybe(text),
  stop_reason: maybe(text),
  result: maybe(text),
  error: z.unknown().optional(),
  errors: maybe(z.array(text)),
  api_error: maybe(text),
  api_error_status: maybe(z.number()),
  api_error_type: maybe(text),
  startup_failure_reason: maybe(text),
  total_cost_usd: maybe(z.number()),
  usage: maybe(ApiUsage),
  model_usage_since_last_result: maybe(z.record(text, ModelUsage)),
  user_message_uuids: maybe(z.array(text)),
  origin: z.unknown().optional(),
  structured_output: z.unknown().optional(),
  session_id: maybe(text),
});
export type ResultLine = z.infer<typeof ResultLine>;

export const LifecycleLine = z.object({
  type: z.literal("command_lifecycle"),
  command_uuid: text,
  state: text,
});
export type LifecycleLine = z.infer<typeof LifecycleLine>;

const Suggestion = z.looseObject({ type: text });

export const CanUseTool = z.object({
  subtype: z.literal("can_use_tool"),
  tool_name: text,
  input: z.record(text, z.unknown()),
  tool_use_id: maybe(text),
  description: maybe(text),
  blocked_path: maybe(text),
  decision_reason: maybe(text),
  permission_suggestions: maybe(z.array(Suggestion)),
});
export type CanUseTool = z.infer<typeof CanUseTool>;

export const AskedQuestion = z.object({
  question: text,
  header: maybe(text),
  multiSelect: maybe(z.boolean()),
  options: maybe(z.array(z.object({ label: text, description: maybe(text) }))),
});
export type AskedQuestion = z.infer<typeof AskedQuestion>;

/** An MCP server that asks the person something: a form to fill in, or a page to visit. */
export const Elicitation = z.object({
  subtype: z.literal("elicitation"),
  mcp_server_name: maybe(text),
  message: text,
  url: maybe(text),
  requested_schema: maybe(z.object({ properties: maybe(z.record(text, z.looseObject({}))) })),
});
export type Elicitation = z.infer<typeof Elicitation>;

export const ControlRequestLine = z.object({
  type: z.literal("control_request"),
  request_id: text,
  request: z.looseObject({ subtype: text }),
});
export type ControlRequestLine = z.infer<typeof ControlRequestLine>;

export const ControlResponseLine = z.object({
  type: z.literal("control_response"),
  response: z.object({
    subtype: text,
    request_id: text,
    response: z.unknown().optional(),
    error: maybe(text),
    error_code: maybe(text),
  }),
});
export type ControlResponseLine = z.infer<typeof ControlResponseLine>;

export const CancelLine = z.object({ type: z.literal("control_cancel_request"), request_id: text });

export const ModelEntry = z.object({
  value: text,
  resolvedModel: maybe(text),
  displayName: maybe(text),
  supportedEffortLevels: maybe(z.array(text)),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

export const Initialized = z.object({
  models: z.array(ModelEntry),
  commands: z.array(z.object({ name: text, description: maybe(text) })),
  agents: maybe(z.array(z.object({ name: text, description: maybe(text) }))),
  claude_code_version: maybe(text),
  current_permission_mode: maybe(text),
});
export type Initialized = z.infer<typeof Initialized>;

/** A file of a message; it stands for its content until the line is written. */
const Attachment = AttachmentInfo.extend({ type: z.literal("attachment") });

export const PromptLine = z.object({
  type: z.literal("user"),
  message: z.object({
    role: z.literal("user"),
    content: z.union([text, z.array(z.union([Attachment, TextBlock, OtherBlock]))]),
  }),
  parent_tool_use_id: z.null().optional(),
  uuid: text.optional(),
});
export type PromptLine = z.infer<typeof PromptLine>;

export interface RequestLine {
  type: "control_request";
  request_id: string;
  request: { subtype: string; [field: string]: unknown };
}

export interface AnswerLine {
  type: "control_response";
  response: { subtype: "success" | "error"; request_id: string; response?: unknown; error?: string };
}

/** What Claude says is checked where it is read. */
export interface SaidLine {
  type: string;
  [field: string]: unknown;
}

/** Any line, in either direction. */
export type ClaudeNative = PromptLine | RequestLine | AnswerLine | SaidLine;
