import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import { claudeCredentials } from "../credentials.ts";
import { startMode } from "./command-line.ts";

/** Three retries instead of ten, news of its state, failures of a start as lines, and no calls but to the model. */
const always = {
  CLAUDE_CODE_MAX_RETRIES: "3",
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
  CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
};

/** A key nobody has: it keeps Claude from sending a login of this machine to an endpoint the session named. */
const noKey = "sk-ant-none";

/** The variables a process of Claude gets besides the allow-list of the host. */
export async function environmentOf(
  host: AgentHost,
  options: OpenOptions,
  isRoot: boolean,
): Promise<Record<string, string>> {
  const isUnprotected = isRoot && startMode(options) === "bypass";
  return {
    ...options.env,
    ...always,
    ...endpointOf(host, options),
    ...pickVariables(host.env, "CLAUDE_CONFIG_DIR"),
    ...(isUnprotected ? { IS_SANDBOX: "1" } : {}),
    ...(await credentialOf(host, options)),
  };
}

/** The session's endpoint, or the operator's; what belongs to the one is not told to the other. */
function endpointOf({ env }: AgentHost, { baseUrl }: OpenOptions): Record<string, string> {
  if (baseUrl !== undefined) return { ANTHROPIC_BASE_URL: baseUrl };
  return pickVariables(env, "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS");
}

/** Exactly one credential, or none where Claude has a login of its own that it renews itself. */
async function credentialOf(host: AgentHost, { token, baseUrl, env }: OpenOptions): Promise<Record<string, string>> {
  if (token !== undefined) {
    return token.startsWith("sk-ant-oat") ? { CLAUDE_CODE_OAUTH_TOKEN: token } : { ANTHROPIC_API_KEY: token };
  }
  if (baseUrl !== undefined) return { ANTHROPIC_API_KEY: noKey };
  const { credentials } = await claudeCredentials.discover(discoveryHost(host));
  const [first] = credentials;
  if (first === undefined && !mayHaveOtherAccess(host, env)) throw noKeyFailure(places);
  if (first === undefined || first.ownLogin || first.variable === undefined) return {};
  return { [first.variable]: first.secret };
}

const places = { agent: "Claude Code", variable: "ANTHROPIC_API_KEY", login: "claude /login" };

/** Ways to a model that need no key of Anthropic's, or one that cannot be seen from here: macOS keeps logins in its keychain. */
const otherAccess = [
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

function mayHaveOtherAccess({ env, home }: AgentHost, own: OpenOptions["env"]): boolean {
  if (process.platform === "darwin" || otherAccess.some((name) => env[name] || own[name])) return true;
  const settings = join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
  // A program of the user's own gives the key.
  return existsSync(settings) && readFileSync(settings, "utf8").includes("apiKeyHelper");
}
