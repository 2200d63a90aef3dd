import { z } from "zod";
import { CostMode } from "./modes.ts";

// The bodies between the SDK and the Codebuff server. Unknown fields pass, so that either side may be newer.
const credits = z.number().min(0);

const StartRunBody = z.looseObject({
  action: z.literal("START"),
  agentId: z.string().min(1),
  ancestorRunIds: z.array(z.string()).default([]),
});
const FinishRunBody = z.looseObject({
  action: z.literal("FINISH"),
  runId: z.string().min(1),
  status: z.enum(["completed", "failed", "cancelled"]),
  totalSteps: z.int32().min(0),
  directCredits: credits,
  totalCredits: credits,
  errorMessage: z.string().optional(),
});
/** `POST /api/v1/agent-runs` */
export const AgentRunsBody = z.discriminatedUnion("action", [StartRunBody, FinishRunBody]);
export type AgentRunsBody = z.infer<typeof AgentRunsBody>;

/** `POST /api/v1/agent-runs/{id}/steps`; `messageId` is the provider's id of the answer, null for a step without a model. */
export const RunStepBody = z.looseObject({
  stepNumber: z.int32().min(0),
  credits: credits.optional(),
  childRunIds: z.array(z.string()).optional(),
  messageId: z.string().nullish(),
  status: z.enum(["running", "completed", "skipped"]),
  errorMessage: z.string().optional(),
  startTime: z.iso.datetime().optional(),
});
export type RunStepBody = z.infer<typeof RunStepBody>;

/** `POST /api/v1/token-count`: messages and tools as in a chat request. */
export const TokenCountBody = z.looseObject({
  model: z.string().optional(),
  messages: z.array(z.json()),
  system: z.string().optional(),
  tools: z.array(z.json()).optional(),
});
export type TokenCountBody = z.infer<typeof TokenCountBody>;

/** Stands in the body of `POST /api/v1/chat/completions` beside what every such request has. */
export const CodebuffMetadata = z.looseObject({
  run_id: z.string(),
  client_id: z.string().optional(),
  cost_mode: CostMode.optional(),
  n: z.int().min(1).optional(),
});
export type CodebuffMetadata = z.infer<typeof CodebuffMetadata>;

export const WebSearchBody = z.looseObject({
  query: z.string().min(1),
  depth: z.enum(["standard", "deep"]).optional(),
});
export type WebSearchBody = z.infer<typeof WebSearchBody>;

export const DocsSearchBody = z.looseObject({
  libraryTitle: z.string().min(1),
  topic: z.string().min(1),
  maxTokens: z.int().min(1).optional(),
});
export type DocsSearchBody = z.infer<typeof DocsSearchBody>;

/** `POST /api/agents/publish`; each definition is checked for itself, so that the answer can name the bad one. */
export const PublishBody = z.looseObject({
  data: z.array(z.json()).min(1),
  allLocalAgentIds: z.array(z.string()).optional(),
});
export type PublishBody = z.infer<typeof PublishBody>;
