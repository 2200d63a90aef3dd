import type { OpenOptions } from "../../adapter.ts";
import { CodebuffOptions } from "../options.ts";
import { policies } from "../wire/modes.ts";
import type { Access } from "./environment.ts";

/** Every flag with its value in one word: a value may begin with a dash. */
export function commandLine(
  options: OpenOptions,
  { flags: access, mcpConfig }: Pick<Access, "flags"> & { mcpConfig: string | undefined },
): string[] {
  const { model, variant, systemPrompt, agentMode, permissionMode, directory, budgetUsd, resume } = options;
  const { agent, maxSteps, params } = CodebuffOptions.parse(options.agentOptions);
  const flags = {
    "input-format": "stream-json",
    cwd: directory,
    permissions: policies[permissionMode],
    continue: resume?.nativeSessionId,
    model,
    variant,
    agent,
    "append-system-prompt": systemPrompt,
    "mcp-config": mcpConfig,
    "max-steps": maxSteps,
    budget: budgetUsd,
    params: params === undefined ? undefined : JSON.stringify(params),
    ...access,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return agentMode === undefined || agentMode === "default" ? args : [...args, `--${agentMode}`];
}
