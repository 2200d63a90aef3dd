import type { AgentHost } from "../host.ts";
import { type AgentCredentials, type Credential, discoveryHost } from "./discovery.ts";
import { vendorAddresses } from "./vendors.ts";

/** `unknown`: there is nobody to ask, or nobody answered. */
export type TokenVerdict = "accepted" | "refused" | "unknown";

export interface TokenQuestion {
  token?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
  agentOptions?: Readonly<Record<string, unknown>> | undefined;
}

type Key = Pick<Credential, "kind" | "secret">;

interface ModelList {
  /** Where the provider itself is. */
  base?: string | undefined;
  /** The variable in which the operator says where it is. */
  variable?: string;
  /** Beside the base URL; `/v1/models` for most. */
  path?: string;
  headers(key: Key): Record<string, string>;
}

/** provider → how it is asked for its models, which only a valid key may see */
const modelLists: Readonly<Record<string, ModelList>> = {
  anthropic: {
    base: vendorAddresses.anthropic,
    headers: ({ kind, secret }) => ({
      "anthropic-version": "2023-06-01",
      ...(kind === "api_key"
        ? { "x-api-key": secret }
        : { authorization: `Bearer ${secret}`, "anthropic-beta": "oauth-2025-04-20" }),
    }),
  },
  openai: { base: vendorAddresses.openai, headers: bearer },
  openrouter: { base: vendorAddresses.openrouter, headers: bearer },
  gemini: { base: vendorAddresses.gemini, path: "/v1beta/openai/models", headers: bearer },
  // Every installation has its own server: where nobody names it nothing can be checked.
  codebuff: { variable: "CODEBUFF_BASE_URL", path: "/api/v1/me", headers: bearer },
};

function bearer({ secret }: Key): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

const patienceMs = 15_000;

/** Asks the provider whether the key a session would use is valid: its own, or else what discovery finds. */
export async function checkToken(
  host: AgentHost,
  agent: AgentCredentials,
  { token, baseUrl, model, agentOptions }: TokenQuestion,
): Promise<TokenVerdict> {
  const provider = agent.providerOf({ model, token, agentOptions });
  const list = provider === undefined || !Object.hasOwn(modelLists, provider) ? undefined : modelLists[provider];
  if (!list) return "unknown";
  // With a base URL a discovered key is never passed on.
  const key = token === undefined && baseUrl === undefined ? await discoverKey(host, agent, provider) : keyOf(token);
  if (!key) return "unknown";
  const base = baseUrl ?? list.base ?? host.env[list.variable ?? ""];
  if (base === undefined) return "unknown";
  return await ask(host, `${base.replace(/\/+$/, "")}${list.path ?? "/v1/models"}`, list.headers(key));
}

async function ask(host: AgentHost, url: string, headers: Record<string, string>): Promise<TokenVerdict> {
  try {
    const { get, networkOf } = await import("../network/http.ts");
    const network = await networkOf(host.env, new Map());
    const { status, body } = await get(network, url, { headers, signal: AbortSignal.timeout(patienceMs) });
    body.destroy();
    if (status === 401 || status === 403) return "refused";
    return status >= 200 && status < 300 ? "accepted" : "unknown";
  } catch (error) {
    host.log("info", "a token could not be checked", { error: String(error) });
    return "unknown";
  }
}

function keyOf(token: string | undefined): Key | undefined {
  return token === undefined ? undefined : { kind: "api_key", secret: token };
}

async function discoverKey(host: AgentHost, agent: AgentCredentials, provider: string | undefined) {
  const { credentials } = await agent.discover(discoveryHost(host));
  return credentials.find((credential) => credential.provider === provider);
}
