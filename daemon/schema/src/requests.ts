import { z } from "zod";
import { Time } from "./ids.ts";

export const QuestionOption = z.object({ id: z.string(), label: z.string(), description: z.string().optional() });
export type QuestionOption = z.infer<typeof QuestionOption>;

export const Question = z.object({
  id: z.string(),
  header: z.string().optional(),
  question: z.string(),
  /** Longer material to decide on, as markdown: the plan of a plan approval. */
  body: z.string().optional(),
  type: z.enum(["string", "boolean", "number"]),
  options: z.array(QuestionOption),
  multiSelect: z.boolean(),
  allowCustom: z.boolean(),
  secret: z.boolean().optional(),
});
export type Question = z.infer<typeof Question>;

export const QuestionKind = z.enum(["question", "plan_approval"]);
export type QuestionKind = z.infer<typeof QuestionKind>;

export const PermissionAction = z.enum(["execute", "edit", "read", "fetch", "mcp", "other"]);
export type PermissionAction = z.infer<typeof PermissionAction>;

/** What `always` grants: the action on exactly this command, path or tool. */
export const AlwaysScope = z.object({ action: PermissionAction, pattern: z.string() });
export type AlwaysScope = z.infer<typeof AlwaysScope>;

export const PermissionDetail = z.object({
  command: z.string().optional(),
  directory: z.string().optional(),
  paths: z.array(z.string()).optional(),
  diff: z.string().optional(),
  url: z.string().optional(),
  tool: z.string().optional(),
  input: z.unknown().optional(),
  reason: z.string().optional(),
});
export type PermissionDetail = z.infer<typeof PermissionDetail>;

/** What a plan asks leave for in advance, in words, and the tool it would use. */
export const AllowedPrompt = z.object({ tool: z.string().optional(), prompt: z.string() });
export type AllowedPrompt = z.infer<typeof AllowedPrompt>;

export const QuestionRequested = z.object({
  questionId: z.string(),
  kind: QuestionKind,
  itemId: z.string().optional(),
  expiresAt: Time.optional(),
  questions: z.array(Question).min(1),
  allowedPrompts: z.array(AllowedPrompt).optional(),
});
export type QuestionRequested = z.infer<typeof QuestionRequested>;

export const QuestionResolved = z.object({
  questionId: z.string(),
  status: z.enum(["answered", "rejected", "cancelled", "expired"]),
  answers: z.array(z.array(z.string())).optional(),
  message: z.string().optional(),
});
export type QuestionResolved = z.infer<typeof QuestionResolved>;

export const PermissionRequested = z.object({
  permissionId: z.string(),
  action: PermissionAction,
  title: z.string(),
  detail: PermissionDetail.optional(),
  itemId: z.string().optional(),
  alwaysScope: z.array(AlwaysScope),
  expiresAt: Time.optional(),
});
export type PermissionRequested = z.infer<typeof PermissionRequested>;

export const PermissionResolved = z.object({
  permissionId: z.string(),
  decision: z.enum(["allow", "reject", "cancelled", "expired"]),
  by: z.enum(["user", "rule", "mode", "agent", "daemon"]),
  scope: z.enum(["once", "session"]).optional(),
  message: z.string().optional(),
});
export type PermissionResolved = z.infer<typeof PermissionResolved>;

export const ReplyQuestion = z.object({
  answers: z
    .array(z.array(z.string()))
    .describe(
      "One array per question: option labels or ids, or own text where the question allows it; empty is no answer",
    ),
  editedText: z.string().optional().describe("The plan as edited by the person, for a plan approval"),
});
export type ReplyQuestion = z.infer<typeof ReplyQuestion>;

export const RejectQuestion = z.object({ message: z.string().optional().describe("Told to the agent") });
export type RejectQuestion = z.infer<typeof RejectQuestion>;

export const ReplyPermission = z.object({
  reply: z.enum(["once", "always", "reject"]).describe("always: for the rest of the session, what alwaysScope says"),
  message: z.string().optional().describe("Told to the agent with a rejection"),
});
export type ReplyPermission = z.infer<typeof ReplyPermission>;

/** Questions and permissions that wait for a person. */
export const PendingRequests = z.object({
  questions: z.array(QuestionRequested),
  permissions: z.array(PermissionRequested),
});
export type PendingRequests = z.infer<typeof PendingRequests>;
