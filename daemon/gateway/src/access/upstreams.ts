import { createHash } from "node:crypto";
import type { ModelAccessRequest, ModelEndpoint } from "@muster/schema";
import type { KeySource } from "../routes/key-source.ts";
import type { Routes } from "../routes/routes.ts";

/** A place to send a request to, with the keys that may be for it in the order in which they are tried. */
export interface UpstreamChoice {
  readonly base: URL;
  readonly keys: readonly KeySource[];
  readonly headers: Readonly<Record<string, string>>;
  /** Nobody named it: without a key there is no use in asking. */
  readonly isVendor: boolean;
}

export interface UpstreamOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyCommand?: string | undefined;
  readonly keyFiles?: Readonly<Record<string, string>> | undefined;
}

const vendors: Readonly<Record<string, { variable: string; base: string }>> = {
  anthropic: { variable: "ANTHROPIC_BASE_URL", base: "https://api.anthropic.com" },
  openai: { variable: "OPENAI_BASE_URL", base: "https://api.openai.com" },
  openrouter: { variable: "OPENROUTER_BASE_URL", base: "https://openrouter.ai/api" },
  gemini: { variable: "GEMINI_BASE_URL", base: "https://generativelanguage.googleapis.com" },
};

/**
 * Where a request goes, the fallbacks after it: the session's own address, else a route, else the daemon's environment, else
 * the vendor. With an address of its own only the session's own key is for it, never one that was found.
 */
export function upstreamsFor(
  asked: ModelAccessRequest,
  model: string | undefined,
  routes: Pick<Routes, "routeFor">,
  options: UpstreamOptions,
): readonly UpstreamChoice[] {
  const { own, found, provider } = asked;
  const ownKeys = tokenOf(own);
  const headers = own.headers ?? {};
  if (own.baseUrl !== undefined) return [{ base: new URL(own.baseUrl), keys: ownKeys, headers, isVendor: false }];
  const route = routes.routeFor({ provider, model, name: asked.route });
  const others = [...operatorKeys(provider, options), ...tokenOf(found)];
  if (route !== undefined) {
    return route.upstreams.map((upstream) => ({
      base: upstream.url,
      keys: [...ownKeys, ...(upstream.key === undefined ? others : [upstream.key])],
      headers: { ...headers, ...upstream.headers },
      isVendor: false,
    }));
  }
  const vendor = Object.hasOwn(vendors, provider) ? vendors[provider] : undefined;
  const named = vendor && options.env[vendor.variable];
  const base = named || found.baseUrl || vendor?.base;
  if (base === undefined) return [];
  const isVendor = base === vendor?.base;
  return [{ base: new URL(base), keys: [...ownKeys, ...others], headers: { ...headers, ...found.headers }, isVendor }];
}

/** Whether the agent's own login goes through: nobody gave a key, and the operator named none for this provider. */
export function isAgentsLogin(asked: ModelAccessRequest, routes: Pick<Routes, "routeFor">, options: UpstreamOptions) {
  const { own, found, provider, model } = asked;
  if (own.isAgentsLogin === true) return true;
  if (own.token !== undefined || own.baseUrl !== undefined || found.isAgentsLogin !== true) return false;
  const route = routes.routeFor({ provider, model, name: asked.route });
  return route?.upstreams[0].key === undefined && options.keyFiles?.[provider] === undefined;
}

/** What makes two sessions share a server: where their requests go and with which key, never the placeholder. */
export function identityOf({ provider, own, found, route }: ModelAccessRequest): string {
  const parts = [provider, own.baseUrl, own.token, own.isAgentsLogin, own.headers, route];
  const others = own.baseUrl === undefined ? [found.baseUrl, found.token, found.isAgentsLogin, found.headers] : [];
  return createHash("sha256")
    .update(JSON.stringify([parts, others]))
    .digest("hex");
}

/** A path of a request behind an address: given with its version or without, the version stands there once. */
export function joinUrl(base: URL, path: string): URL {
  const [, version] = /^\/(v\d\w*)\//.exec(path) ?? [];
  let prefix = base.pathname.replace(/\/+$/, "");
  if (version !== undefined && prefix.endsWith(`/${version}`)) prefix = prefix.slice(0, -version.length - 1);
  return new URL(`${base.origin}${prefix}${path}`);
}

function operatorKeys(provider: string, { keyCommand, keyFiles }: UpstreamOptions): KeySource[] {
  const file = keyFiles && Object.hasOwn(keyFiles, provider) ? keyFiles[provider] : undefined;
  return [...(file === undefined ? [] : [{ file }]), ...(keyCommand === undefined ? [] : [{ command: keyCommand }])];
}

function tokenOf({ token }: ModelEndpoint): KeySource[] {
  return token === undefined ? [] : [{ token }];
}
