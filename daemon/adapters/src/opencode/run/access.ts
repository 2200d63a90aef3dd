import { randomUUID } from "node:crypto";
import type { ModelAccess, ModelAccessRequest, ModelGateway } from "@muster/schema";
import type { OpenOptions } from "../../adapter.ts";
import { discoveryHost } from "../../credentials/discovery.ts";
import { vendorAddresses, withoutVersion } from "../../credentials/vendors.ts";
import type { AgentHost } from "../../host.ts";
import { opencodeCredentials } from "../credentials.ts";
import { modelName } from "../wire/settings.ts";

/** OpenCode's name of a provider → what a server is given in place of its key. */
export type Accesses = ReadonlyMap<string, Pick<ModelAccess, "baseUrl" | "token" | "identity" | "keys">>;

/** What a server will need of the gateway. */
export interface AccessPlan {
  /** What makes two sessions share a server, and no placeholder. */
  readonly outline: Accesses;
  /** The placeholders of one server, which names its sessions in headers. */
  hold(): ReadonlyMap<string, ModelAccess>;
}

type Asked = Omit<ModelAccessRequest, "holder">;

/** undefined where keys do not pass the gateway: there is none, or the session's provider has an address that only OpenCode knows. */
export async function planAccess(host: AgentHost, options: OpenOptions): Promise<AccessPlan | undefined> {
  const { gateway } = host;
  if (gateway === undefined) return undefined;
  const asked = await requestsOf(host, options);
  if (asked.size === 0) return undefined;
  return {
    outline: outlineOf(gateway, asked),
    hold: () => holdAll(gateway, asked, `opencode-${randomUUID()}`),
  };
}

function holdAll(gateway: ModelGateway, asked: ReadonlyMap<string, Asked>, server: string) {
  return new Map([...asked].map(([name, request]) => [name, gateway.access({ ...request, holder: { server } })]));
}

/** Without placeholders: those of a server are made when it starts. */
function outlineOf(gateway: ModelGateway, asked: ReadonlyMap<string, Asked>): Accesses {
  const outline = holdAll(gateway, asked, `opencode-outline-${randomUUID()}`);
  for (const access of outline.values()) access.release();
  return new Map([...outline].map(([name, { identity, keys }]) => [name, { identity, keys, baseUrl: "", token: "" }]));
}

/** The session's own endpoint and key for its provider; without either, each provider that a key or login was found for. */
async function requestsOf(host: AgentHost, options: OpenOptions): Promise<Map<string, Asked>> {
  const { token, baseUrl, model = "", route } = options;
  const name = modelName(model);
  if (name !== undefined && (token !== undefined || baseUrl !== undefined)) {
    const found = { baseUrl: addressOf(host, name.providerID) };
    if (baseUrl === undefined && found.baseUrl === undefined) return new Map();
    const own = { baseUrl, token };
    const provider = gatewayName(name.providerID);
    return new Map([[name.providerID, { agent: "opencode", provider, own, found, model: name.modelID, route }]]);
  }
  const { credentials } = await opencodeCredentials.discover(discoveryHost(host));
  const asked = new Map<string, Asked>();
  for (const { provider, secret, ownLogin } of credentials) {
    const address = addressOf(host, provider);
    if (asked.has(provider) || address === undefined) continue;
    const found = { baseUrl: address, token: ownLogin ? undefined : secret, isAgentsLogin: ownLogin };
    asked.set(provider, { agent: "opencode", provider: gatewayName(provider), own: {}, found, route });
  }
  return asked;
}

/** The operator's endpoint, as Claude Code and Codex have it, else the vendor's. */
function addressOf({ env }: AgentHost, provider: string): string | undefined {
  const operators: Record<string, string | undefined> = {
    anthropic: env.ANTHROPIC_BASE_URL,
    openai: env.OPENAI_BASE_URL,
  };
  const address = operators[provider] || vendorAddresses[gatewayName(provider)];
  return address && withoutVersion(address);
}

function gatewayName(provider: string): string {
  return provider === "google" ? "gemini" : provider;
}
