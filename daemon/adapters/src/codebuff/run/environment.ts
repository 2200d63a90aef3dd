import type { ModelAccess, ModelEndpoint } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import { vendorAddresses, withoutVersion } from "../../credentials/vendors.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import { codebuffCredentials, providerOfToken, providers } from "../credentials.ts";

export interface Access {
  /** Whose key it is, where that has to be said. */
  flags: { provider?: string };
  env: Record<string, string>;
  /** What it was given in place of keys. */
  models?: ModelAccess[];
}

type AccessOptions = Pick<OpenOptions, "token" | "baseUrl" | "agentOptions"> &
  Partial<Pick<OpenOptions, "sessionId" | "model" | "route">>;

/** A key nobody has: it keeps a login of this machine from being sent to an endpoint the session named. */
const noKey = "none";

/**
 * Whom Codebuff asks, and as whom. A session's token goes to its own endpoint, else to the operator's, else to the provider;
 * its endpoint sees no key of this machine. Without either Codebuff finds the login of the user's home by itself, and is given
 * the keys and endpoints of the daemon's environment.
 */
export function accessOf(host: AgentHost, options: AccessOptions): Access {
  const { token, baseUrl } = options;
  const provider = providerOfToken(options);
  const { key, url } = providers[provider] ?? unknownProvider(provider);
  if (token === undefined && baseUrl === undefined) {
    const isNamed = typeof options.agentOptions.provider === "string";
    const env = pickVariables(host.env, ...variables);
    return { flags: { provider: isNamed ? provider : undefined }, ...throughGateway(host, options, env) };
  }
  const endpoint = baseUrl === undefined ? pickVariables(host.env, url) : { [url]: baseUrl };
  // A Codebuff key needs no word: it comes before every own key.
  const flags = { provider: provider === "codebuff" ? undefined : provider };
  return { flags, ...throughGateway(host, options, { ...endpoint, [key]: token ?? noKey }) };
}

/** The same with a placeholder for each key of a model's provider. Codebuff's own service is no model: its key stays. */
function throughGateway(host: AgentHost, options: AccessOptions, env: Record<string, string>): Omit<Access, "flags"> {
  const { sessionId, token, baseUrl } = options;
  const { gateway } = host;
  if (gateway === undefined || sessionId === undefined) return { env };
  const isOwn = token !== undefined || baseUrl !== undefined;
  const held = Object.entries(providers).flatMap(([provider, { key, url }]) => {
    if (provider === "codebuff" || env[key] === undefined) return [];
    const found: ModelEndpoint = {
      baseUrl: withoutVersion(host.env[url] || vendorAddresses[provider] || ""),
      token: isOwn ? undefined : env[key],
    };
    const own = { baseUrl, token };
    const holder = { sessionId };
    const { model, route } = options;
    const access = gateway.access({ agent: "codebuff", provider, holder, own, found, model, route });
    return [{ access, env: { [key]: access.token, [url]: access.baseUrl } }];
  });
  const models = held.map(({ access }) => access);
  return { env: Object.assign({ ...env }, ...held.map((one) => one.env)), models };
}

/** A Codebuff account comes before every key of a provider: its requests go to Codebuff's own service. */
export async function hasAccount(host: AgentHost, { token, baseUrl, agentOptions }: AccessOptions): Promise<boolean> {
  if (token !== undefined || baseUrl !== undefined || agentOptions.provider !== undefined) return false;
  const { credentials } = await codebuffCredentials.discover(discoveryHost(host));
  return credentials.some(({ provider }) => provider === "codebuff");
}

const variables = Object.values(providers).flatMap(({ key, url }) => [key, url]);

function unknownProvider(provider: string): never {
  throw new Error(`There is no provider ${provider}`);
}
