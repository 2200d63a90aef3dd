import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions, refuseOption } from "../option-checks.ts";
import { agentModes } from "./wire/modes.ts";

/** Claude's own settings. None of them touches credentials, endpoints or permissions. */
export const ClaudeOptions = z.strictObject({
  agent: z.string().min(1).optional().describe("The agent of Claude's own that leads the conversation (--agent)"),
  addDirectories: z.array(z.string().min(1)).optional().describe("Further directories it may read (--add-dir)"),
  disallowedTools: z.array(z.string().min(1)).optional().describe("Tools it must do without (--disallowedTools)"),
  fallbackModel: z.string().min(1).optional().describe("Used when the model is overloaded (--fallback-model)"),
  jsonSchema: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The form of the structured output of a turn (--json-schema)"),
});
export type ClaudeOptions = z.infer<typeof ClaudeOptions>;

const variants = ["low", "medium", "high", "xhigh", "max"];

const reservedEnv =
  /^(ANTHROPIC_|CLAUDE_|IS_SANDBOX$|NODE_OPTIONS$|DEBUG$|HOME$|MUSTER_|DISABLE_|API_TIMEOUT_MS$|AWS_BEARER_TOKEN_BEDROCK$)/;

/** Throws `unsupported_option` for what Claude cannot do. Models are looked up when it starts: only it knows them. */
export function checkSettings(settings: CreateSession): void {
  const { model } = settings;
  if (model !== undefined && !/^[A-Za-z0-9][\w.:/@[\]-]*$/.test(model)) {
    throw refuseOption("model", `'${model}' is not a name of a model`);
  }
  checkOptions(settings, {
    agent: "Claude Code",
    variants,
    modes: agentModes,
    reservedEnv,
    agentOptions: ClaudeOptions,
  });
}
