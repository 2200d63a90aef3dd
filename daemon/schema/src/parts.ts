import { z } from "zod";

/** The same for all agents, so that an interface can draw a tool without knowing who called it. */
export const ToolKind = z.enum(["read", "edit", "execute", "search", "fetch", "think", "agent", "other"]);
export type ToolKind = z.infer<typeof ToolKind>;

export const TextPart = z.object({ type: z.literal("text"), text: z.string() });
export const ReasoningPart = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  visibility: z.enum(["public", "private"]),
});
export const ToolCallPart = z.object({
  type: z.literal("tool_call"),
  callId: z.string(),
  name: z.string(),
  toolKind: ToolKind,
  input: z.unknown(),
  title: z.string().optional(),
});
export const ToolResultPart = z.object({
  type: z.literal("tool_result"),
  callId: z.string(),
  output: z.string(),
  isError: z.boolean(),
  exitCode: z.int().optional(),
  json: z.unknown().optional(),
});
export const FilePart = z.object({
  type: z.literal("file"),
  path: z.string(),
  action: z.enum(["read", "write", "patch", "delete"]),
  diff: z.string().optional(),
});
export const ImagePart = z.object({
  type: z.literal("image"),
  mime: z.string(),
  data: z.string().optional(),
  path: z.string().optional(),
});
export const PlanPart = z.object({ type: z.literal("plan"), text: z.string() });
export const StatusPart = z.object({ type: z.literal("status"), label: z.string(), detail: z.string().optional() });
export const JsonPart = z.object({ type: z.literal("json"), json: z.unknown() });

export const Part = z.discriminatedUnion("type", [
  TextPart,
  ReasoningPart,
  ToolCallPart,
  ToolResultPart,
  FilePart,
  ImagePart,
  PlanPart,
  StatusPart,
  JsonPart,
]);
export type Part = z.infer<typeof Part>;
