import { z } from "zod";
import { Cause } from "../cause.ts";
import { Metadata } from "./metadata.ts";
import { Usage } from "./usage.ts";

export const PlanEntry = z.object({
  content: z.string(),
  status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
  priority: z.enum(["high", "medium", "low"]).optional(),
});
export type PlanEntry = z.infer<typeof PlanEntry>;

/** Reports of an agent beside its items: plan, usage, failures, and lines that nobody could read. */
export const reportEvents = {
  "plan.updated": z.object({ entries: z.array(PlanEntry) }),
  "usage.updated": Usage.extend({ costUsd: z.number().nonnegative().optional() }),
  error: z.object({
    code: Cause,
    message: z.string(),
    retryable: z.boolean(),
    details: Metadata.optional(),
  }),
  "agent.unparsed": z.object({ raw: z.unknown(), error: z.string(), location: z.string() }),
} as const;
