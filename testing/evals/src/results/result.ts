import { z } from "zod";

const count = z.int().nonnegative();

/** How a run ended. `error`: nothing was tried, because the task or the agent could not be begun. */
export const Outcome = z.enum(["passed", "failed", "late", "over_budget", "too_many_steps", "error"]);
export type Outcome = z.infer<typeof Outcome>;

/** What one agent did with one task, once: a line of runs.jsonl. */
export const Result = z.object({
  task: z.string(),
  /** 1 … N. */
  run: z.int().positive(),
  outcome: Outcome,
  passed: z.boolean(),
  score: z.number().min(0).max(1),
  seconds: z.number().nonnegative(),
  costUsd: z.number().nonnegative().optional(),
  /** By the gateway, where the agent's requests pass it; else as the agent tells. */
  tokens: z.object({ input: count, cached: count, output: count }),
  requests: count.optional(),
  steps: count,
  toolErrors: count,
  refusedEdits: count,
  permissions: count,
  questions: count,
  /** Of the tokens sent, the part that came from the provider's cache. */
  prefixReuse: z.number().min(0).max(1).optional(),
  /** Whether the kernel kept the agent from the checks. */
  confined: z.boolean(),
  /** Test configuration that the agent changed and the check did not use. */
  restored: z.array(z.string()),
  /** Why it is as it is, in words: the end of the check's output, or what went wrong. */
  reason: z.string(),
});
export type Result = z.infer<typeof Result>;

/** What all runs of a folder share: settings.json. A run that goes on must have the same. */
export const Settings = z.object({
  label: z.string(),
  agent: z.string(),
  model: z.string().optional(),
  variant: z.string().optional(),
  agentMode: z.string().optional(),
  agentOptions: z.record(z.string(), z.unknown()).optional(),
  systemPrompt: z.string().optional(),
  scripted: z.string().optional(),
  seed: z.int(),
  runs: z.int().positive(),
  tasks: z.array(z.string()),
});
export type Settings = z.infer<typeof Settings>;
