import { z } from "zod";
import { AgentOutput } from "./agents/agent-output.ts";
import { Usage } from "./events.ts";
import { ModeName } from "./modes.ts";

/** The one object that `--json` prints. */
export const JsonResult = z
  .object({
    type: z.literal("result"),
    sessionId: z.string().describe("the conversation; `--continue <id>` goes on with it"),
    agentId: z.string().describe("the agent that answered"),
    model: z.string().describe("its model"),
    mode: ModeName.describe("the mode"),
    output: AgentOutput.describe("`structuredOutput` with its `value`, `lastMessage` or `allMessages`, or `error`"),
    text: z.string().describe("the plain text of `output`"),
    isError: z.boolean().describe("the run was not completed; the exit code is not 0 then"),
    error: z
      .object({ code: z.string(), message: z.string(), statusCode: z.int().optional() })
      .describe("with `isError`: `code`, `message`, and `statusCode` of the service that refused")
      .optional(),
    totalCost: z.number().min(0).describe("in credits, whole ones; one is a US cent"),
    totalCostUsd: z.number().min(0).describe("in US dollars, exact; missing where no price is known").optional(),
    usage: Usage.describe("tokens of all its calls of a model"),
    steps: z.int().min(0).describe("steps of the main agent's model"),
    durationMs: z.number().min(0).describe("from the start of the command"),
  })
  .describe("What `--json` prints, once.");
export type JsonResult = z.infer<typeof JsonResult>;
