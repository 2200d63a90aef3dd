import { z } from "zod";

const id = z.string();
const json = z.unknown();
/** Older versions leave it out where there is none. */
const strings = z.array(z.string()).default([]);
const failure = z.object({ message: z.string() }).nullish();

const FileUpdate = z.object({
  path: z.string(),
  kind: z.object({ type: z.enum(["add", "update", "delete"]), move_path: z.string().nullish() }),
  /** For `add` and `delete` the text of the file. */
  diff: z.string(),
});
export type FileUpdate = z.infer<typeof FileUpdate>;

/** One thing in a Codex turn. Ids of messages are the provider's, those of tools the call's. */
export const ThreadItem = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("userMessage"),
    id,
    clientId: z.string().nullish(),
    content: z.array(z.object({ type: z.string(), text: z.string().optional(), path: z.string().optional() })),
  }),
  z.object({
    type: z.literal("agentMessage"),
    id,
    text: z.string(),
    phase: z.string().nullish(),
    questions: z.array(z.object({ title: z.string(), options: z.array(z.string()).nullish() })).nullish(),
  }),
  z.object({ type: z.literal("reasoning"), id, summary: strings, content: strings }),
  z.object({ type: z.literal("plan"), id, text: z.string() }),
  z.object({
    type: z.literal("commandExecution"),
    id,
    command: z.string(),
    cwd: z.string(),
    status: z.string(),
    /** What Codex takes the command for. */
    commandActions: z.array(z.object({ type: z.string(), path: z.string().nullish() })).nullish(),
    aggregatedOutput: z.string().nullish(),
    exitCode: z.int().nullish(),
  }),
  z.object({ type: z.literal("fileChange"), id, changes: z.array(FileUpdate), status: z.string() }),
  z.object({
    type: z.literal("mcpToolCall"),
    id,
    server: z.string(),
    tool: z.string(),
    status: z.string(),
    arguments: json,
    result: z.object({ content: z.array(json), structuredContent: json.optional() }).nullish(),
    error: failure,
  }),
  z.object({
    type: z.literal("dynamicToolCall"),
    id,
    namespace: z.string().nullish(),
    tool: z.string(),
    status: z.string(),
    arguments: json,
    contentItems: z.array(z.object({ type: z.string(), text: z.string().optional() })).nullish(),
    success: z.boolean().nullish(),
  }),
  z.object({
    type: z.literal("collabAgentToolCall"),
    id,
    tool: z.string(),
    status: z.string(),
    receiverThreadIds: z.array(z.string()),
    prompt: z.string().nullish(),
    agentsStates: z.record(z.string(), json),
  }),
  z.object({
    type: z.literal("subAgentActivity"),
    id,
    kind: z.string(),
    agentThreadId: z.string(),
    agentPath: z.string(),
    model: z.string().nullish(),
  }),
  z.object({
    type: z.literal("webSearch"),
    id,
    query: z.string(),
    action: json.optional(),
    results: z.array(json).nullish(),
  }),
  z.object({ type: z.literal("imageView"), id, path: z.string() }),
  z.object({
    type: z.literal("imageGeneration"),
    id,
    status: z.string(),
    revisedPrompt: z.string().nullish(),
    savedPath: z.string().optional(),
    failure: json.optional(),
  }),
  z.object({ type: z.literal("sleep"), id, durationMs: z.number() }),
  z.object({ type: z.literal("functionCallOutput"), id, name: z.string(), output: json }),
  z.object({ type: z.literal("hookPrompt"), id, fragments: z.array(z.object({ text: z.string() })) }),
  z.object({ type: z.literal("enteredReviewMode"), id, review: z.string() }),
  z.object({ type: z.literal("exitedReviewMode"), id, review: z.string() }),
  z.object({ type: z.literal("contextCompaction"), id }),
]);
export type ThreadItem = z.infer<typeof ThreadItem>;
export type ItemOf<T extends ThreadItem["type"]> = Extract<ThreadItem, { type: T }>;
