import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import type { AgentHost } from "../../host.ts";
import { pickVariables } from "../../process/child-environment.ts";
import { opencodeCredentials } from "../credentials.ts";
import { OpencodeOptions } from "../options.ts";
import { modelName } from "../wire/settings.ts";
import type { Accesses } from "./access.ts";

/** The variables a server gets besides the allow-list of the host and its configuration. */
export async function environmentOf(
  host: AgentHost,
  options: OpenOptions,
  accesses?: Accesses,
): Promise<Record<string, string>> {
  const { refreshModels } = OpencodeOptions.parse(options.agentOptions);
  // Folders of the daemon's own user are not those of another one.
  const folders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
  return {
    ...options.env,
    ...(host.user ? {} : pickVariables(host.env, ...folders)),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    ...(refreshModels ? {} : { OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    ...(accesses === undefined ? await keysOf(host, options) : placeholdersOf(accesses)),
  };
}

/** Names that the commands OpenCode runs must not see. */
export function secretNames(env: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>): string[] {
  const always = ["OPENCODE_SERVER_PASSWORD", "OPENCODE_PASSWORD", "OPENCODE_CONFIG_CONTENT", "OPENCODE_AUTH_CONTENT"];
  return [...always, ...Object.keys(env).filter((name) => name.endsWith("_KEY") && !Object.hasOwn(own, name))];
}

/** They stand in for OpenCode's whole list of logins, unless one of those is its own and passes. */
function placeholdersOf(accesses: Accesses): Record<string, string> {
  if ([...accesses.values()].some(({ keys }) => keys === "agent")) return {};
  const list = [...accesses].map(([provider, { token }]) => [provider, { type: "api", key: token }]);
  return { OPENCODE_AUTH_CONTENT: JSON.stringify(Object.fromEntries(list)) };
}

/** No key of this machine goes to an endpoint the session named; without any OpenCode would not ask it at all. */
const noKey = "none";

/** A key of the session stands in for OpenCode's whole list of logins; nothing is written to a file. */
async function keysOf(host: AgentHost, { token, baseUrl, model = "" }: OpenOptions): Promise<Record<string, string>> {
  const provider = modelName(model)?.providerID;
  if (provider !== undefined && (token !== undefined || baseUrl !== undefined)) {
    return { OPENCODE_AUTH_CONTENT: JSON.stringify({ [provider]: { type: "api", key: token ?? noKey } }) };
  }
  const { credentials } = await opencodeCredentials.discover(discoveryHost(host));
  const variables = credentials.flatMap(({ variable, secret, source }) =>
    variable !== undefined && source.startsWith("environment ") ? [[variable, secret]] : [],
  );
  return Object.fromEntries(variables) as Record<string, string>;
}
