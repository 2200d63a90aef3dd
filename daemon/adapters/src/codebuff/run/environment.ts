import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { providerOfToken, providers } from "../credentials.ts";

export interface Access {
  /** Flags that say whom to ask. */
  flags: { provider?: string; "base-url"?: string };
  env: Record<string, string>;
}

/** A key nobody has: it keeps a login of this machine from being sent to an endpoint the session named. */
const noKey = "none";

/**
 * Whom Codebuff asks, and as whom. A token and an endpoint of the session's own are all it gets; without them it finds
 * the login of the user's home by itself, and is given the keys of the daemon's environment.
 */
export function accessOf(host: AgentHost, options: Pick<OpenOptions, "token" | "baseUrl" | "agentOptions">): Access {
  const { token, baseUrl } = options;
  const provider = providerOfToken(options);
  const { key, url } = providers[provider] ?? {};
  if (token === undefined && baseUrl === undefined) {
    const named = typeof options.agentOptions.provider === "string" ? { provider } : {};
    return { flags: named, env: environmentKeys(host.env) };
  }
  const env: Record<string, string> = key === undefined ? {} : { [key]: token ?? noKey };
  if (url === undefined) return { flags: { "base-url": baseUrl }, env };
  if (baseUrl !== undefined) env[url] = baseUrl;
  return { flags: { provider }, env };
}

function environmentKeys(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.values(providers).flatMap(({ key, url }) => (url === undefined ? [key] : [key, url]));
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
