import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import { providerOfToken, providers } from "../credentials.ts";

export interface Access {
  /** Whose key it is, where that has to be said. */
  flags: { provider?: string };
  env: Record<string, string>;
}

/** A key nobody has: it keeps a login of this machine from being sent to an endpoint the session named. */
const noKey = "none";

/**
 * Whom Codebuff asks, and as whom. A session's token goes to its own endpoint, else to the operator's, else to the provider;
 * its endpoint sees no key of this machine. Without either Codebuff finds the login of the user's home by itself, and is given
 * the keys and endpoints of the daemon's environment.
 */
export function accessOf(host: AgentHost, options: Pick<OpenOptions, "token" | "baseUrl" | "agentOptions">): Access {
  const { token, baseUrl } = options;
  const provider = providerOfToken(options);
  const { key, url } = providers[provider] ?? unknownProvider(provider);
  if (token === undefined && baseUrl === undefined) {
    const isNamed = typeof options.agentOptions.provider === "string";
    return { flags: { provider: isNamed ? provider : undefined }, env: pickVariables(host.env, ...variables) };
  }
  const endpoint = baseUrl === undefined ? pickVariables(host.env, url) : { [url]: baseUrl };
  // A Codebuff key needs no word: it comes before every own key.
  const flags = { provider: provider === "codebuff" ? undefined : provider };
  return { flags, env: { ...endpoint, [key]: token ?? noKey } };
}

const variables = Object.values(providers).flatMap(({ key, url }) => [key, url]);

function unknownProvider(provider: string): never {
  throw new Error(`There is no provider ${provider}`);
}
