import { join } from "node:path";
import type { ModelAccess } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import { withoutVersion } from "../../credentials/vendors.ts";
import { type AgentHost, agentFolder } from "../../host.ts";
import { codexCredentials } from "../credentials.ts";
import type { CodexOptions } from "../options.ts";

/** Whose model a session talks to, and with which key. */
export interface Access {
  /** CODEX_HOME. */
  home: string;
  /** Absent: the login and configuration of the home decide. */
  provider?: Provider;
}

export interface Provider {
  baseUrl: string;
  token?: string;
  /** What stands for the key, where the requests pass the gateway; `baseUrl` and `token` are then its own. */
  model?: ModelAccess;
  /** Who is asked in the end, behind the gateway. */
  upstream?: string;
}

/** The only provider id we use: Codex allows one per process (0.166.0). */
export const providerId = "muster";
const openai = "https://api.openai.com/v1";

export function isOpenai({ baseUrl, upstream = baseUrl }: Provider): boolean {
  return upstream === openai;
}

/**
 * The endpoint of the session, else the operator's (OPENAI_BASE_URL of the daemon), else OpenAI's.
 * The token of the session; with a base URL nothing else. Without either: a key that is found, or the login of the user,
 * for which Codex needs the user's own home. Everybody else gets a home of the daemon's, because Codex writes into it.
 */
export async function accessOf(host: AgentHost, options: AccessOptions, own: CodexOptions): Promise<Access> {
  const { token, baseUrl } = options;
  const usual = host.env.OPENAI_BASE_URL ? withVersion(host.env.OPENAI_BASE_URL) : openai;
  const users = host.env.CODEX_HOME || join(host.user?.home ?? host.home, ".codex");
  const folder = own.home === "user" ? users : await agentFolder(host, "codex");
  if (baseUrl !== undefined || token !== undefined) {
    return { home: folder, provider: providerOf(host, options, { baseUrl: usual }) };
  }
  if (own.home === "user") return { home: folder };
  const { credentials } = await codexCredentials.discover(discoveryHost(host));
  const [found] = credentials;
  if (found === undefined && usual === openai) {
    throw noKeyFailure({ agent: "Codex", variable: "OPENAI_API_KEY", login: "codex login" });
  }
  // Codex takes its login to a service of its own, with a protocol of its own: that does not pass the gateway.
  if (found?.ownLogin === true) return { home: users };
  return { home: folder, provider: providerOf(host, options, { baseUrl: usual, token: found?.secret }) };
}

export type AccessOptions = Pick<OpenOptions, "token" | "baseUrl"> &
  Partial<Pick<OpenOptions, "sessionId" | "model" | "route">>;

/** The endpoint and key of the session, else what was found; behind the gateway its address and a placeholder. */
function providerOf(
  { gateway }: AgentHost,
  { token, baseUrl, sessionId, model: name, route }: AccessOptions,
  found: Provider,
): Provider {
  const isOwn = token !== undefined || baseUrl !== undefined;
  const upstream = baseUrl === undefined ? found.baseUrl : withVersion(baseUrl);
  if (gateway === undefined || sessionId === undefined) {
    return { baseUrl: upstream, token: isOwn ? token : found.token };
  }
  const model = gateway.access({
    agent: "codex",
    provider: "openai",
    holder: { sessionId },
    own: { baseUrl: baseUrl && withoutVersion(baseUrl), token },
    found: { baseUrl: withoutVersion(found.baseUrl), token: found.token },
    model: name,
    route,
  });
  return { baseUrl: withVersion(model.baseUrl), token: model.token, model, upstream };
}

/**
 * The provider as configuration of one thread: the key goes over the pipe and stays in memory (not under CODEX_HOME
 * afterwards, 0.166.0). A provider that says nothing for two minutes is retried before the engine's own clock ends the turn.
 */
export function providerConfig({ baseUrl, token }: Provider): Record<string, unknown> {
  return {
    name: "Muster",
    base_url: baseUrl,
    wire_api: "responses",
    request_max_retries: 3,
    stream_max_retries: 4,
    stream_idle_timeout_ms: 120_000,
    ...(token !== undefined && { experimental_bearer_token: token }),
  };
}

function withVersion(baseUrl: string): string {
  const url = baseUrl.replace(/\/+$/, "");
  return /\/v\d+$/.test(url) ? url : `${url}/v1`;
}
