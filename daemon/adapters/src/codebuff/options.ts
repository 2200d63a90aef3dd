import type { CreateSession } from "@muster/schema";
import { z } from "zod";
import { checkOptions, refuseOption } from "../option-checks.ts";
import { providers } from "./credentials.ts";
import { agentModes } from "./wire/modes.ts";

/** Codebuff's own settings. */
export const CodebuffOptions = z.strictObject({
  agent: z
    .string()
    .min(1)
    .optional()
    .describe("The agent that leads the conversation, instead of the mode's (--agent)"),
  provider: z
    .enum(Object.keys(providers) as [string, ...string[]])
    .optional()
    .describe("Whose key the token is, where the key itself does not tell (--provider)"),
  maxSteps: z.int().positive().optional().describe("Steps a run may take (--max-steps)"),
  params: z.record(z.string(), z.unknown()).optional().describe("Parameters of the agent (--params)"),
});
export type CodebuffOptions = z.infer<typeof CodebuffOptions>;

export const variants = ["low", "medium", "high"];

const reservedEnv = /^(CODEBUFF_|(ANTHROPIC|OPENAI|OPENROUTER|GEMINI)_(API_KEY|BASE_URL)$|NODE_OPTIONS$|HOME$|MUSTER_)/;

/** Throws `unsupported_option` for what Codebuff cannot do. Models are looked up when it starts: only it knows them. */
export function checkSettings(settings: CreateSession): void {
  const { model, systemPrompt } = settings;
  if (model !== undefined && !/^[A-Za-z0-9~][\w.:/@~-]*$/.test(model)) {
    throw refuseOption("model", `'${model}' is not a name of a model`);
  }
  if (systemPrompt?.includes("\0")) throw refuseOption("systemPrompt", "The system prompt has a NUL character");
  checkOptions(settings, {
    agent: "Codebuff",
    variants,
    modes: agentModes,
    reservedEnv,
    agentOptions: CodebuffOptions,
  });
}
