import { z } from "zod";

/** What Amp prints and reads, one JSON object per line: only the fields we read, unknown fields pass. */

const text = z.string();
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

export const ApiUsage = z.object({
  input_tokens: maybe(z.number()),
  output_tokens: maybe(z.number()),
  cache_read_input_tokens: maybe(z.number()),
  cache_creation_input_tokens: maybe(z.number()),
  /** The size of the model's context. */
  max_tokens: maybe(z.number()),
});
export type ApiUsage = z.infer<typeof ApiUsage>;

const TextBlock = z.object({ type: z.literal("text"), text });
const ThinkingBlock = z.object({ type: z.literal("thinking"), thinking: text });
const ToolUse = z.object({ type: z.literal("tool_use"), id: text, name: text, input: z.unknown().optional() });
export const ToolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: text,
  content: maybe(z.union([text, z.array(z.looseObject({ type: text }))])),
  is_error: maybe(z.boolean()),
});
export type ToolResultBlock = z.infer<typeof ToolResultBlock>;
/** Everything else a message may hold; it is shown as it came. */
const OtherBlock = z.looseObject({ type: text });

/** A block of a known type must have the fields of that type, or the line is not understood. */
const blockOf = <T extends z.ZodType>(known: T, types: readonly string[]) =>
  z.union([known, OtherBlock.refine(({ type }) => !types.includes(type))]);

const AssistantBlock = blockOf(z.discriminatedUnion("type", [TextBlock, ThinkingBlock, ToolUse]), [
  "text",
  "thinking",
  "tool_use",
]);
const UserBlock = blockOf(z.discriminatedUnion("type", [TextBlock, ToolResultBlock]), ["text", "tool_result"]);
export type AssistantBlock = z.infer<typeof AssistantBlock>;
export type UserBlock = z.infer<typeof UserBlock>;

const inside = { parent_tool_use_id: maybe(text), session_id: maybe(text) };

export const SystemLine = z.object({
  type: z.literal("system"),
  subtype: text,
  session_id: maybe(text),
  cwd: maybe(text),
});
export type SystemLine = z.infer<typeof SystemLine>;

export const AssistantLine = z.object({
  type: z.literal("assistant"),
  message: z.object({ content: z.array(AssistantBlock), stop_reason: maybe(text), usage: maybe(ApiUsage) }),
  ...inside,
});
export type AssistantLine = z.infer<typeof AssistantLine>;

export const UserLine = z.object({
  type: z.literal("user"),
  message: z.object({ content: z.array(UserBlock) }),
  ...inside,
});
export type UserLine = z.infer<typeof UserLine>;

export const ResultLine = z.object({
  type: z.literal("result"),
  is_error: z.boolean(),
  result: maybe(text),
  error: maybe(text),
});
export type ResultLine = z.infer<typeof ResultLine>;

/** What our permission program asks, and that it has gone. Amp itself has no line for it. */
export const PermissionLine = z.object({
  type: z.literal("permission_request"),
  request_id: text,
  tool_name: text,
  tool_use_id: text,
  input: z.unknown().optional(),
});
export type PermissionLine = z.infer<typeof PermissionLine>;
export const WithdrawnLine = z.object({ type: z.literal("permission_withdrawn"), request_id: text });

/** A prompt as Amp reads it; it takes text only. */
export const PromptLine = z.object({
  type: z.literal("user"),
  message: z.object({ role: z.literal("user"), content: z.array(TextBlock) }),
});
export type PromptLine = z.infer<typeof PromptLine>;

/** What we say: a prompt, a signal, that a process is of no more use, an answer to the permission program. */
export type HeardLine =
  | PromptLine
  | { type: "interrupt" }
  | { type: "end_process" }
  | { type: "permission_response"; request_id: string; decision: "allow" | "reject" };

/** What a process of Amp says, and what the channel tells of the processes. */
export type SaidLine = { type: string; [field: string]: unknown };

export type AmpNative = HeardLine | SaidLine;
