import { type CreateSession, Failure, type Mode } from "@muster/schema/wire";
import type { z } from "zod";

/** What an agent takes; what is absent here is checked by the agent itself, or when it starts. */
export interface OptionRules {
  /** As people call it. */
  agent: string;
  variants?: readonly string[];
  modes?: readonly Mode[];
  /** Variables by which the daemon itself tells the agent whom to ask, as whom, and what it may do. */
  reservedEnv?: RegExp;
  agentOptions: z.ZodType;
}

/** The checks all agents have in common. Throws `unsupported_option`. */
export function checkOptions(settings: CreateSession, rules: OptionRules): void {
  const { variant, agentMode, env = {}, agentOptions = {} } = settings;
  const { agent, variants, modes, reservedEnv } = rules;
  if (variant !== undefined && variants?.includes(variant) === false) {
    throw refuseOption("variant", `${agent} has no variant '${variant}', only ${variants.join(", ")}`);
  }
  if (agentMode !== undefined && modes?.every(({ id }) => id !== agentMode)) {
    const known = modes.map(({ id }) => id).join(", ");
    throw refuseOption("agentMode", `${agent} has no mode '${agentMode}', only ${known}`);
  }
  const name = Object.keys(env).find((variable) => reservedEnv?.test(variable));
  if (name !== undefined) {
    throw refuseOption("env", `The variable ${name} is set by the daemon; use token, baseUrl and mcp`);
  }
  const read = rules.agentOptions.safeParse(agentOptions);
  if (read.success) return;
  const [issue] = read.error.issues;
  throw refuseOption("agentOptions", `agentOptions ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
}

export function refuseOption(option: string, detail: string): Failure {
  return new Failure("unsupported_option", detail, { option });
}
