import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelAccess, ModelEndpoint } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { type Credential, discoveryHost } from "../../credentials/discovery.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import { vendorAddresses } from "../../credentials/vendors.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import { claudeCredentials } from "../credentials.ts";

/** Whom Claude asks, and as whom. */
export interface Access {
  env: Record<string, string>;
  /** What it was given in place of the key; absent where its requests do not pass the gateway. */
  model?: ModelAccess;
}

/** A key nobody has: it keeps Claude from sending a login of this machine to an endpoint the session named. */
const noKey = "sk-ant-none";

/** The session's endpoint, or the operator's; what belongs to the one is not told to the other. Behind the gateway both are its own. */
export async function accessOf(host: AgentHost, options: OpenOptions): Promise<Access> {
  const { baseUrl, token } = options;
  const isFound = token === undefined && baseUrl === undefined;
  const found = isFound ? await findCredential(host, options) : undefined;
  const env = { ...endpointOf(host, options), ...credentialOf(options, found) };
  if (host.gateway === undefined || isOutside(host, options)) return { env };
  const model = host.gateway.access({
    agent: "claude",
    provider: "anthropic",
    holder: { sessionId: options.sessionId },
    own: { baseUrl, token },
    found: operatorsEndpoint(host, found),
    model: options.model,
    route: options.route,
  });
  const address = { ANTHROPIC_BASE_URL: model.baseUrl };
  if (model.keys === "agent") return { env: address, model };
  // A login is sent in another header than a key, so the placeholder stands where the login would.
  const variable = Object.keys(env).find((name) => logins.has(name)) ?? "ANTHROPIC_API_KEY";
  return { env: { ...address, [variable]: model.token }, model };
}

const logins = new Set(["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"]);

function endpointOf({ env }: AgentHost, { baseUrl }: OpenOptions): Record<string, string> {
  if (baseUrl !== undefined) return { ANTHROPIC_BASE_URL: baseUrl };
  return pickVariables(env, "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS");
}

/** Exactly one credential, or none where Claude has a login of its own that it renews itself. */
function credentialOf({ token, baseUrl }: OpenOptions, found: Credential | undefined): Record<string, string> {
  if (token !== undefined) {
    return token.startsWith("sk-ant-oat") ? { CLAUDE_CODE_OAUTH_TOKEN: token } : { ANTHROPIC_API_KEY: token };
  }
  if (baseUrl !== undefined) return { ANTHROPIC_API_KEY: noKey };
  if (found === undefined || found.ownLogin || found.variable === undefined) return {};
  return { [found.variable]: found.secret };
}

async function findCredential(host: AgentHost, { env }: OpenOptions): Promise<Credential | undefined> {
  const { credentials } = await claudeCredentials.discover(discoveryHost(host));
  const [first] = credentials;
  if (first === undefined && !mayHaveOtherAccess(host, env)) throw noKeyFailure(places);
  return first;
}

/** What the daemon knows of Anthropic: its own endpoint and headers, and the key, unless Claude has a login of its own. */
function operatorsEndpoint(host: AgentHost, found: Credential | undefined): ModelEndpoint {
  const { env } = host;
  return {
    baseUrl: env.ANTHROPIC_BASE_URL || vendorAddresses.anthropic,
    headers: headersIn(env.ANTHROPIC_CUSTOM_HEADERS ?? ""),
    // Nothing was found and yet there is a way: a program of the user's own, or the keychain, gives Claude the key.
    isAgentsLogin: found === undefined ? !env.ANTHROPIC_BASE_URL : found.ownLogin,
    token: found?.ownLogin ? undefined : found?.secret,
  };
}

/** `Name: value`, one on each line. */
function headersIn(text: string): Record<string, string> | undefined {
  const headers = text.split("\n").flatMap((line) => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]];
  });
  return headers.length > 0 ? Object.fromEntries(headers) : undefined;
}

const places = { agent: "Claude Code", variable: "ANTHROPIC_API_KEY", login: "claude /login" };

/** Other clouds have a protocol and logins of their own. */
const clouds = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

/** Ways to a model that need no key of Anthropic's, or one that cannot be seen from here: macOS keeps logins in its keychain. */
const otherAccess = ["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", ...clouds];

function isOutside(host: AgentHost, { env, token, baseUrl }: OpenOptions): boolean {
  return token === undefined && baseUrl === undefined && clouds.some((name) => host.env[name] || env[name]);
}

function mayHaveOtherAccess({ env, home }: AgentHost, own: OpenOptions["env"]): boolean {
  if (process.platform === "darwin" || otherAccess.some((name) => env[name] || own[name])) return true;
  const settings = join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
  // A program of the user's own gives the key.
  return existsSync(settings) && readFileSync(settings, "utf8").includes("apiKeyHelper");
}
