import { z } from "zod";
import { Time } from "./ids.ts";

export const QuestionOption = z
  .object({
    id: z.string().describe("The option's id; an answer may name it"),
    label: z.string().describe("The option for people; an answer may name it"),
    description: z.string().optional().describe("What choosing it means"),
  })
  .describe("One of the answers a question offers");
export type QuestionOption = z.infer<typeof QuestionOption>;

export const Question = z
  .object({
    id: z.string().describe("The question's id within the request"),
    header: z.string().optional().describe("A few words that stand above it"),
    question: z.string().describe("What is asked"),
    body: z.string().optional().describe("Longer material to decide on, as Markdown: the plan of a plan approval"),
    type: z.enum(["string", "boolean", "number"]).describe("What kind of answer is wanted"),
    options: z.array(QuestionOption).describe("The answers it offers; empty where only own words are wanted"),
    multiSelect: z.boolean().describe("Whether several options may be chosen"),
    allowCustom: z.boolean().describe("Whether own words are taken beside the options"),
    secret: z.boolean().optional().describe("true: the answer is a secret and must not be shown"),
  })
  .describe("One question to a person");
export type Question = z.infer<typeof Question>;

export const QuestionKind = z
  .enum(["question", "plan_approval"])
  .describe("A question, or a plan that waits for approval");
export type QuestionKind = z.infer<typeof QuestionKind>;

export const PermissionAction = z
  .enum(["execute", "edit", "read", "fetch", "mcp", "other"])
  .describe("What kind of thing the agent wants to do");
export type PermissionAction = z.infer<typeof PermissionAction>;

export const AlwaysScope = z
  .object({
    action: PermissionAction,
    pattern: z.string().describe("On exactly this command, path or tool"),
  })
  .describe("What the answer always grants for the rest of the session");
export type AlwaysScope = z.infer<typeof AlwaysScope>;

export const PermissionDetail = z
  .object({
    command: z.string().optional().describe("The command it wants to run"),
    directory: z.string().optional().describe("Where the command would run"),
    paths: z.array(z.string()).optional().describe("The files it wants to touch"),
    diff: z.string().optional().describe("The change it wants to make, as a unified diff"),
    url: z.string().optional().describe("The address it wants to read"),
    tool: z.string().optional().describe("The tool it wants to use"),
    input: z.unknown().optional().describe("What the tool would be given"),
    reason: z.string().optional().describe("Why it asks, in the agent's words"),
  })
  .describe("What exactly the agent wants to do");
export type PermissionDetail = z.infer<typeof PermissionDetail>;

export const AllowedPrompt = z
  .object({
    tool: z.string().optional().describe("The tool it would use"),
    prompt: z.string().describe("What it would do, in words"),
  })
  .describe("What a plan asks leave for in advance");
export type AllowedPrompt = z.infer<typeof AllowedPrompt>;

export const QuestionRequested = z
  .object({
    questionId: z.string().describe("The request's id, by which it is answered"),
    kind: QuestionKind,
    itemId: z.string().optional().describe("The tool call it belongs to"),
    expiresAt: Time.optional().describe("When it expires, in UTC; never where it is absent"),
    questions: z.array(Question).min(1).describe("What is asked; an answer has one entry for each"),
    allowedPrompts: z.array(AllowedPrompt).optional().describe("Of a plan: what it asks leave for in advance"),
  })
  .describe("The agent asks a person something, or proposes a plan, and waits");
export type QuestionRequested = z.infer<typeof QuestionRequested>;

export const QuestionResolved = z
  .object({
    questionId: z.string().describe("The request that no longer waits"),
    status: z.enum(["answered", "rejected", "cancelled", "expired"]).describe("How it ended"),
    answers: z.array(z.array(z.string())).optional().describe("The answers, one list for each question"),
    message: z.string().optional().describe("Why it was declined, in words"),
  })
  .describe("A question was answered, or no longer waits");
export type QuestionResolved = z.infer<typeof QuestionResolved>;

export const PermissionRequested = z
  .object({
    permissionId: z.string().describe("The request's id, by which it is answered"),
    action: PermissionAction,
    title: z.string().describe("What the agent wants to do, in one line for people"),
    detail: PermissionDetail.optional().describe("What exactly it wants to do"),
    itemId: z.string().optional().describe("The tool call it belongs to"),
    alwaysScope: z.array(AlwaysScope).describe("What the answer always would grant for the rest of the session"),
    expiresAt: Time.optional().describe("When it expires, in UTC; never where it is absent"),
  })
  .describe("The agent asks whether it may do something, and waits");
export type PermissionRequested = z.infer<typeof PermissionRequested>;

export const PermissionResolved = z
  .object({
    permissionId: z.string().describe("The request that no longer waits"),
    decision: z.enum(["allow", "reject", "cancelled", "expired"]).describe("What was decided"),
    by: z
      .enum(["user", "rule", "mode", "agent", "daemon", "client"])
      .describe(
        "Who decided: a person, an earlier always, the permission mode, the agent, the daemon, or a client for which nobody was there",
      ),
    scope: z.enum(["once", "session"]).optional().describe("Of an allow: this once, or for the rest of the session"),
    message: z.string().optional().describe("Why it was rejected, in words"),
  })
  .describe("A permission was decided, or no longer waits");
export type PermissionResolved = z.infer<typeof PermissionResolved>;

export const ReplyQuestion = z
  .object({
    answers: z
      .array(z.array(z.string()))
      .describe(
        "One array per question: option labels or ids, or own text where the question allows it; empty is no answer",
      ),
    editedText: z.string().optional().describe("The plan as edited by the person, for a plan approval"),
  })
  .describe("The answer to a question or plan");
export type ReplyQuestion = z.infer<typeof ReplyQuestion>;

export const RejectQuestion = z
  .object({ message: z.string().optional().describe("Told to the agent") })
  .describe("How a question is declined");
export type RejectQuestion = z.infer<typeof RejectQuestion>;

export const ReplyPermission = z
  .object({
    reply: z.enum(["once", "always", "reject"]).describe("always: for the rest of the session, what alwaysScope says"),
    message: z.string().optional().describe("Told to the agent with a rejection"),
    automatic: z
      .boolean()
      .optional()
      .describe("true tells that no person decided: the log says by client, not by user"),
  })
  .describe("The answer to a permission");
export type ReplyPermission = z.infer<typeof ReplyPermission>;

export const PendingRequests = z
  .object({
    questions: z.array(QuestionRequested).describe("Questions and plans that wait"),
    permissions: z.array(PermissionRequested).describe("Permissions that wait"),
  })
  .describe("Questions and permissions that wait for a person");
export type PendingRequests = z.infer<typeof PendingRequests>;
