import { homedir } from "node:os";
import { Subscription } from "../oauth/subscription.ts";
import { type Credential, findCredential } from "../settings/credentials.ts";
import { readUserConfig, type UserConfig } from "../settings/user-config.ts";
import { backendRoute } from "./backend-route.ts";
import { fits, modelAt } from "./model-table.ts";
import { ownKeyRoute } from "./own-key-route.ts";
import { findOwnProviders, type MissingProvider, type OwnProvider } from "./own-keys.ts";
import type { Route } from "./route.ts";
import { covers, subscriptionRoute } from "./subscription-route.ts";

const defaultBaseUrl = "http://127.0.0.1:8787";

export interface WaysOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly provider?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
  readonly warn?: (message: string) => void;
}

/** Every way to a model that this person has now. */
export interface Ways {
  readonly config: UserConfig;
  readonly baseUrl: string;
  readonly credential: Credential | undefined;
  /** A login that is not used, because it was made for another server than the one that is asked for. */
  readonly loginElsewhere: Credential | undefined;
  readonly subscriptions: readonly Subscription[];
  readonly own: readonly OwnProvider[];
  readonly missing: readonly MissingProvider[];
  /** The one way that was asked for by name. */
  readonly forced: string | undefined;
}

export async function findWays(options: WaysOptions = {}): Promise<Ways> {
  const { env = process.env, home = homedir() } = options;
  const warn = once(options.warn ?? (() => undefined));
  const config = await readUserConfig(home, warn);
  const given = options.apiKey?.trim();
  const found: Credential | undefined = given
    ? { apiKey: given, source: "option" }
    : await findCredential({ env, home, warn });
  const backend = Object.values(config.providers).find(({ type }) => type === "backend");
  const asked = options.baseUrl ?? env.CODEBUFF_BASE_URL?.trim() ?? config.baseUrl ?? backend?.baseUrl;
  const baseUrl = trimUrl(asked || found?.baseUrl || defaultBaseUrl);
  const isElsewhere = found?.baseUrl !== undefined && trimUrl(found.baseUrl) !== baseUrl;
  const { usable, missing } = findOwnProviders(env, config);
  const subscriptions: Subscription[] = [];
  for (const name of ["claude", "chatgpt"] as const) {
    const oauth = config.oauth[name];
    if (oauth === undefined) continue;
    const subscription = new Subscription(name, oauth, { home, env });
    if (await subscription.isConnected()) subscriptions.push(subscription);
    else missing.push({ name, reason: "not connected" });
  }
  return {
    config,
    baseUrl,
    credential: isElsewhere ? undefined : found,
    loginElsewhere: isElsewhere ? found : undefined,
    subscriptions,
    own: usable,
    missing,
    forced: options.provider ?? config.provider,
  };
}

function trimUrl(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Several readers of one file complain of it in the same words; the person hears them once. */
function once(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) warn(message);
    told.add(message);
  };
}

/** No provider has this name, with a key or without one. */
export function isUnknownProvider({ forced, own, missing, subscriptions, config }: Ways): boolean {
  if (forced === undefined || isBackendName(forced) || Object.hasOwn(config.providers, forced)) return false;
  return ![...own, ...missing, ...subscriptions].some(({ name }) => name === forced);
}

function isBackendName(name: string): boolean {
  return name === "backend" || name === "codebuff";
}

/** Runs are counted by the server only when it serves the models too. */
export function usesBackend({ credential, forced }: Ways): boolean {
  return credential !== undefined && (forced === undefined || isBackendName(forced));
}

/**
 * The ways to one model, best first: a subscription that covers it, then the Codebuff server; without a Codebuff key the
 * own key whose vendor makes the model, else the first own key with its model from the table.
 */
export function routesFor(
  ways: Ways,
  wanted: string,
  { clientId, costMode }: { clientId: string; costMode: string },
): Route[] {
  const { forced, baseUrl, credential } = ways;
  const isWanted = (name: string) => forced === undefined || forced === name;
  const routes: Route[] = ways.subscriptions
    .filter((one) => isWanted(one.name) && !one.isBlocked() && covers(one, wanted))
    .map((one) => subscriptionRoute(one, wanted));
  if (usesBackend(ways) && credential !== undefined) {
    routes.push(backendRoute({ baseUrl, apiKey: credential.apiKey, clientId, costMode }, wanted));
    return routes;
  }
  const own = ownFor(ways, wanted);
  if (own !== undefined) routes.push(ownKeyRoute(own.provider, own.model));
  return routes;
}

/** The own key that serves a model, under the name it has there. */
export function ownFor({ own, forced }: Ways, wanted: string): { provider: OwnProvider; model: string } | undefined {
  const allowed = own.filter(({ name }) => forced === undefined || forced === name);
  const provider =
    allowed.find((one) => fits(one, wanted)) ?? allowed.find((one) => modelAt(one, wanted) !== undefined);
  const model = provider === undefined ? undefined : modelAt(provider, wanted);
  return provider === undefined || model === undefined ? undefined : { provider, model };
}

/** The way a model would be reached now, as a person knows it: whose key, and where it goes. */
export function wayText(ways: Ways, wanted: string): string | undefined {
  const { forced, baseUrl, credential } = ways;
  const subscription = ways.subscriptions.find(
    (one) => (forced === undefined || forced === one.name) && !one.isBlocked() && covers(one, wanted),
  );
  if (subscription !== undefined) return `your ${subscription.name} subscription`;
  if (usesBackend(ways) && credential !== undefined) return `the key in ${credential.source}, at ${baseUrl}`;
  const own = ownFor(ways, wanted)?.provider;
  if (own === undefined) return undefined;
  const host = URL.canParse(own.baseUrl) ? new URL(own.baseUrl).host : own.baseUrl;
  return own.source === "config.json"
    ? `${own.name} of your config.json, at ${host}`
    : `the key in ${own.source}, at ${host}`;
}

/** Why there is no way, in one sentence that says what to do. */
export function noWayMessage({ forced, missing, own, loginElsewhere, baseUrl }: Ways): string {
  if (loginElsewhere !== undefined && (forced === undefined || isBackendName(forced)))
    return `The login in ${loginElsewhere.source} is for ${loginElsewhere.baseUrl} and is not sent to ${baseUrl}: log in there too (codebuff login --base-url ${baseUrl})`;
  const reason = missing.find(({ name }) => name === forced)?.reason;
  if (forced !== undefined && reason !== undefined) return `The provider ${forced} cannot be used: ${reason}`;
  if (forced !== undefined && own.some(({ name }) => name === forced))
    return `The provider ${forced} has no model for this agent: set one in config.json`;
  if (forced !== undefined) return `There is no provider ${forced}`;
  return "There is no way to a model: log in, set CODEBUFF_API_KEY, or set a key of your own such as ANTHROPIC_API_KEY";
}
