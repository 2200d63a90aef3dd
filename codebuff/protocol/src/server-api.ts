import { z } from "zod";
import { AgentDefinition } from "./agents/agent-definition.ts";
import { CostMode } from "./modes.ts";

// The bodies between the SDK and the Codebuff server. Unknown fields pass, so that either side may be newer.
const credits = z.number().min(0);

export const MeAnswer = z.looseObject({ id: z.string(), email: z.string().optional() });
export type MeAnswer = z.infer<typeof MeAnswer>;

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
export const StartRunAnswer = z.looseObject({ runId: z.string().min(1) });
export type StartRunAnswer = z.infer<typeof StartRunAnswer>;

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
export const RunStepAnswer = z.looseObject({ stepId: z.string() });
export type RunStepAnswer = z.infer<typeof RunStepAnswer>;

/** `POST /api/v1/token-count`: messages and tools as in a chat request. */
export const TokenCountBody = z.looseObject({
  model: z.string().optional(),
  messages: z.array(z.json()),
  system: z.string().optional(),
  tools: z.array(z.json()).optional(),
});
export type TokenCountBody = z.infer<typeof TokenCountBody>;
export const TokenCountAnswer = z.looseObject({ inputTokens: z.int().min(0) });
export type TokenCountAnswer = z.infer<typeof TokenCountAnswer>;

/** Stands in the body of `POST /api/v1/chat/completions` beside what every such request has. */
export const CodebuffMetadata = z.looseObject({
  run_id: z.string(),
  client_id: z.string().optional(),
  cost_mode: CostMode.optional(),
  n: z.int().min(1).optional(),
});
export type CodebuffMetadata = z.infer<typeof CodebuffMetadata>;

/** The codes of the gates; a gate without one answers only a message. */
export const GateCode = z.enum([
  "account_suspended",
  "free_mode_unavailable",
  "rate_limit_exceeded",
  "too_many_requests",
  "out_of_credits",
]);
export type GateCode = z.infer<typeof GateCode>;

/** Our form has the code as a plain string; clients of the OpenAI kind get the nested one. */
export const GateError = z.looseObject({
  error: z.union([z.string(), z.looseObject({ message: z.string(), code: z.string().nullish() })]).optional(),
  message: z.string().optional(),
});
export type GateError = z.infer<typeof GateError>;

/** Code and text of an error body in either form. */
export function readGateError(body: unknown): { code?: string; message?: string } {
  const gate = GateError.safeParse(body);
  if (!gate.success) return {};
  const { error, message } = gate.data;
  if (typeof error === "object") return { code: error.code ?? undefined, message: message ?? error.message };
  return { code: error, message };
}

export const WebSearchBody = z.looseObject({
  query: z.string().min(1),
  depth: z.enum(["standard", "deep"]).optional(),
});
export type WebSearchBody = z.infer<typeof WebSearchBody>;
export const WebSearchAnswer = z.looseObject({ result: z.string(), creditsUsed: credits.optional() });
export type WebSearchAnswer = z.infer<typeof WebSearchAnswer>;

export const DocsSearchBody = z.looseObject({
  libraryTitle: z.string().min(1),
  topic: z.string().min(1),
  maxTokens: z.int().min(1).optional(),
});
export type DocsSearchBody = z.infer<typeof DocsSearchBody>;
export const DocsSearchAnswer = z.looseObject({ documentation: z.string(), creditsUsed: credits.optional() });
export type DocsSearchAnswer = z.infer<typeof DocsSearchAnswer>;

/** `GET /api/v1/agents/{publisher}/{id}/{version|latest}` */
export const StoreAgentAnswer = z.looseObject({ version: z.string(), data: AgentDefinition });
export type StoreAgentAnswer = z.infer<typeof StoreAgentAnswer>;

/** `POST /api/agents/publish`; each definition is checked for itself, so that the answer can name the bad one. */
export const PublishBody = z.looseObject({
  data: z.array(z.json()).min(1),
  allLocalAgentIds: z.array(z.string()).optional(),
});
export type PublishBody = z.infer<typeof PublishBody>;
