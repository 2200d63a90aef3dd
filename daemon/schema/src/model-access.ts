/** Types between the daemon's gateway, adapters and engine. No schema: nothing of it is ever on a wire. */

/** An endpoint and the key for it. Both may be missing: then the next source of the list is used. */
export interface ModelEndpoint {
  /** Without a version path such as `/v1`. */
  baseUrl?: string | undefined;
  /** The real key. It is kept in the gateway's memory and added to requests that are forwarded. */
  token?: string | undefined;
  /** A login that the agent holds and renews itself: it is forwarded as it comes, metered and not hidden. */
  isAgentsLogin?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface ModelAccessRequest {
  agent: string;
  /** `anthropic`, `openai`, `openrouter`, `gemini` … */
  provider: string;
  /** Whose key it is: one session's, or a shared server's, whose requests name their session in headers. */
  holder: { sessionId: string } | { server: string };
  /** What the session itself was given; with a `baseUrl` here only its own `token` is used. */
  own: ModelEndpoint;
  /** What the daemon found for this agent: environment, files of the agent, the vendor's address. */
  found: ModelEndpoint;
  /** The model, where it is known before the first request; routes may choose by it. */
  model?: string | undefined;
  /** The name of a route of routes.yaml, chosen by the session. */
  route?: string | undefined;
}

/** What an agent is started with in place of a real key. */
export interface ModelAccess {
  /** On loopback; without a version path, as a session's `baseUrl`. */
  baseUrl: string;
  /** A placeholder in the shape the agent accepts; the same one for the same holder and provider while its process lives. */
  token: string;
  /** What makes two sessions share a server: a digest of upstream, real key and route, never the placeholder. */
  identity: string;
  /** `agent`: the agent's own login passes through. */
  keys: "gateway" | "agent";
  /** The process is gone: the placeholder opens nothing any more. */
  release(): void;
}

/** The gateway as adapters see it. */
export interface ModelGateway {
  access(request: ModelAccessRequest): ModelAccess;
}

/** Money and tokens of requests, as counted on the wire. */
export interface Spending {
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** By our price table; in billionths of a dollar, so that sums are exact. */
  listNanoUsd: number;
  /** What the provider itself says it billed; missing where it says nothing. */
  billedNanoUsd?: number;
}
