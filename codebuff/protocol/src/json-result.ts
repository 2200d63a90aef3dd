import { z } from "zod";
import { AgentOutput } from "./agents/agent-output.ts";
import { Usage } from "./events.ts";
import { ModeName } from "./modes.ts";

/** The one object that `--json` prints. */
export const JsonResult = z.object({
  type: z.literal("result"),
  sessionId: z.string(),
  agentId: z.string(),
  model: z.string(),
  mode: ModeName,
  output: AgentOutput,
  /** The plain text of `output`. */
  text: z.string(),
  isError: z.boolean(),
  error: z.object({ code: z.string(), message: z.string(), statusCode: z.int().optional() }).optional(),
  totalCost: z.number().min(0),
  totalCostUsd: z.number().min(0).optional(),
  usage: Usage,
  steps: z.int().min(0),
  durationMs: z.number().min(0),
});
export type JsonResult = z.infer<typeof JsonResult>;
