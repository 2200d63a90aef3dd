import type { PlainMcpServer } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { OpencodeOptions } from "../options.ts";
import { modelName } from "../wire/settings.ts";
import type { Accesses } from "./access.ts";

/** The vendor's provider is connected without any key; a conversation must not go there unless somebody asked for it. */
const freeProvider = "opencode";

/**
 * Everything asks but what only looks. The rules stand in the configuration of the server, because those of a session
 * are not inherited by its sub-agents. Who answers is decided per session by its mode.
 */
const permission = {
  "*": "ask",
  read: { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" },
  glob: "allow",
  grep: "allow",
  list: "allow",
  lsp: "allow",
  task: "allow",
  skill: "allow",
  question: "allow",
  todowrite: "allow",
  todoread: "allow",
  plan_enter: "deny",
  plan_exit: "deny",
  external_directory: "ask",
  doom_loop: "ask",
  edit: "ask",
  bash: "ask",
  webfetch: "ask",
  websearch: "ask",
};

/**
 * The same for each of OpenCode's own agents, because rules of an agent beat those above and a project may bring some.
 * Two of them are made for looking, which the rules above would undo.
 */
const agent = {
  build: { permission },
  general: { permission },
  plan: { permission: { ...permission, edit: "deny" } },
  explore: { permission: { ...permission, edit: "deny", task: "deny", todowrite: "deny" } },
};

/** providers whose own protocol OpenCode speaks → what stands between the endpoint and their calls */
const versionPaths: Readonly<Record<string, string>> = { anthropic: "/v1", openai: "/v1", google: "/v1beta" };

/** The configuration of a server. It is part of its identity: sessions with another one get another server. */
export function configurationOf(
  options: OpenOptions,
  shell: string,
  { operators = {}, accesses }: { operators?: AgentHost["env"]; accesses?: Accesses | undefined } = {},
): Record<string, unknown> {
  const mcp = Object.fromEntries(Object.entries(options.mcp).map(([name, server]) => [name, mcpOf(server)]));
  return {
    autoupdate: false,
    share: "disabled",
    // Its own rewind would move files too, and ask nobody; the daemon's own snapshots do that.
    snapshot: false,
    shell,
    permission,
    agent,
    // A rejection also rejects what else waits in the session, without words; that must not end the turn either.
    experimental: { continue_loop_on_deny: true },
    disabled_providers: isFreeProviderOffered(options) ? undefined : [freeProvider],
    ...endpoints(options, operators, accesses),
    mcp: Object.keys(mcp).length > 0 ? mcp : undefined,
  };
}

export function isFreeProviderOffered({ agentOptions, model }: OpenOptions): boolean {
  const { freeProvider: isAllowed } = OpencodeOptions.parse(agentOptions);
  return isAllowed === true || model?.startsWith(`${freeProvider}/`) === true;
}

function endpoints(
  options: OpenOptions,
  operators: AgentHost["env"],
  accesses: Accesses | undefined,
): Record<string, unknown> {
  if (options.baseUrl !== undefined) return endpointOf(options, options.baseUrl, accesses);
  return accesses === undefined ? operatorsEndpoints(operators) : gatewayEndpoints(accesses);
}

function endpointOf(
  { model = "" }: OpenOptions,
  baseUrl: string,
  accesses: Accesses | undefined,
): Record<string, unknown> {
  const name = modelName(model);
  if (name === undefined) return {};
  const { providerID, modelID } = name;
  const isKnown = Object.hasOwn(versionPaths, providerID);
  const provider = {
    ...(isKnown ? {} : { npm: "@ai-sdk/openai-compatible", name: providerID }),
    options: { baseURL: addressOf(providerID, accesses?.get(providerID)?.baseUrl ?? baseUrl) },
    // Behind an endpoint of the session's own there may be any model.
    models: { [modelID]: {} },
  };
  // Titles and summaries go where the conversation goes.
  return { provider: { [providerID]: provider }, small_model: model };
}

/** The gateway stands for each provider. Keys are said here only beside a login of OpenCode's own, which a list of keys would replace. */
function gatewayEndpoints(accesses: Accesses): Record<string, unknown> {
  const hasLogin = [...accesses.values()].some(({ keys }) => keys === "agent");
  const provider = [...accesses].map(([name, { baseUrl, token, keys }]) => {
    const apiKey = hasLogin && keys === "gateway" ? token : undefined;
    return [name, { options: { baseURL: addressOf(name, baseUrl), apiKey } }];
  });
  return { provider: Object.fromEntries(provider) };
}

function addressOf(providerID: string, baseUrl: string): string {
  const path = Object.hasOwn(versionPaths, providerID) ? versionPaths[providerID] : "/v1";
  return `${baseUrl.replace(/\/+$/, "")}${path}`;
}

/** Endpoints that the daemon's environment names, as Claude Code and Codex have them. */
function operatorsEndpoints(env: AgentHost["env"]): Record<string, unknown> {
  const named = { anthropic: env.ANTHROPIC_BASE_URL, openai: env.OPENAI_BASE_URL };
  const provider = Object.entries(named).flatMap(([name, url]) => {
    const baseURL = url?.replace(/(\/v1)?\/*$/, "/v1");
    return baseURL ? [[name, { options: { baseURL } }]] : [];
  });
  return provider.length === 0 ? {} : { provider: Object.fromEntries(provider) };
}

function mcpOf(server: PlainMcpServer): Record<string, unknown> {
  if ("url" in server) return { type: "remote", url: server.url, oauth: false, headers: server.headers };
  const { command, args = [], env: environment } = server;
  return { type: "local", command: [command, ...args], environment };
}
