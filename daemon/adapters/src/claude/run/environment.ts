import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import type { Access } from "./access.ts";
import { startMode } from "./command-line.ts";

/** Three retries instead of ten, news of its state, failures of a start as lines, and no calls but to the model. */
const always = {
  CLAUDE_CODE_MAX_RETRIES: "3",
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

/** The variables a process of Claude gets besides the allow-list of the host. */
export function environmentOf(
  host: AgentHost,
  options: OpenOptions,
  { access, isRoot }: { access: Access; isRoot: boolean },
): Record<string, string> {
  const isUnprotected = isRoot && startMode(options) === "bypass";
  return {
    ...options.env,
    ...always,
    ...pickVariables(host.env, "CLAUDE_CONFIG_DIR"),
    ...(isUnprotected ? { IS_SANDBOX: "1" } : {}),
    ...access.env,
  };
}
