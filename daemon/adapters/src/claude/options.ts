import { type CreateSession, Failure } from "@muster/schema";
import { z } from "zod";
import { agentModes } from "./read/modes.ts";

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

/** Variables by which the daemon itself tells Claude whom to ask, as whom, and what it may do. */
const reserved =
  /^(ANTHROPIC_|CLAUDE_|IS_SANDBOX$|NODE_OPTIONS$|DEBUG$|HOME$|MUSTER_|DISABLE_|API_TIMEOUT_MS$|AWS_BEARER_TOKEN_BEDROCK$)/;

/** Throws `unsupported_option` for what Claude cannot do. Models are looked up when it starts: only it knows them. */
export function checkSettings(settings: CreateSession): void {
  const { model, variant, agentMode, agentOptions = {}, env = {} } = settings;
  if (model !== undefined && !/^[A-Za-z0-9][\w.:/@[\]-]*$/.test(model)) {
    throw refusal("model", `'${model}' is not a name of a model`);
  }
  if (variant !== undefined && !variants.includes(variant)) {
    throw refusal("variant", `Claude Code has no effort '${variant}', only ${variants.join(", ")}`);
  }
  if (agentMode !== undefined && !agentModes.some(({ id }) => id === agentMode)) {
    throw refusal("agentMode", `Claude Code has no mode '${agentMode}', only build and plan`);
  }
  const name = Object.keys(env).find((variable) => reserved.test(variable));
  if (name !== undefined) throw refusal("env", `The variable ${name} is set by the daemon; use token, baseUrl and mcp`);
  const options = ClaudeOptions.safeParse(agentOptions);
  if (options.success) return;
  const [issue] = options.error.issues;
  throw refusal("agentOptions", `agentOptions ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
}

function refusal(option: string, detail: string): Failure {
  return new Failure("unsupported_option", detail, { option });
}
