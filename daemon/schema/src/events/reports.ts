import { z } from "zod";
import { Cause } from "../cause.ts";
import { Metadata } from "./metadata.ts";
import { Usage } from "./usage.ts";
import { ModelRequest, WireUsage } from "./wire-usage.ts";

export const PlanEntry = z
  .object({
    content: z.string().describe("The task in words"),
    status: z.enum(["pending", "in_progress", "completed", "cancelled"]).describe("How far it is"),
    priority: z.enum(["high", "medium", "low"]).optional().describe("How important the agent says it is"),
  })
  .describe("One line of an agent's todo list");
export type PlanEntry = z.infer<typeof PlanEntry>;

/** Reports of an agent beside its items: plan, usage, failures, and lines that nobody could read. */
export const reportEvents = {
  "plan.updated": z
    .object({ entries: z.array(PlanEntry).describe("The whole list as it is now; it replaces the one before") })
    .describe("The agent's todo list has changed"),
  "usage.updated": Usage.extend({
    costUsd: z.number().nonnegative().optional().describe("What the turn has cost so far, in US dollars"),
    wire: WireUsage.optional().describe("The same as the gateway counted it"),
    request: ModelRequest.optional().describe("The model request that has begun or is over"),
  }).describe("Tokens and cost of the turn so far, as the agent tells them and as the gateway counted them"),
  "budget.warned": z
    .object({
      spentUsd: z.number().nonnegative().describe("What is spent, in US dollars"),
      budgetUsd: z.number().positive().describe("The budget, in US dollars"),
    })
    .describe("Four fifths of a budget are spent; told once for each budget"),
  error: z
    .object({
      code: Cause.describe("What went wrong, for programs"),
      message: z.string().describe("What went wrong, in the agent's or the daemon's words"),
      retryable: z.boolean().describe("Whether the same message may succeed later"),
      details: Metadata.optional().describe("Whatever else the agent said of it"),
    })
    .describe("A trouble of the agent; whether the turn failed is told by turn.ended"),
  "agent.unparsed": z
    .object({
      raw: z.unknown().describe("The line as the agent wrote it"),
      error: z.string().describe("Why it could not be read"),
      location: z.string().describe("Where in the daemon it was to be read"),
    })
    .describe("The agent said something this daemon cannot read; nothing is dropped in silence"),
} as const;
