import type { ProviderConfig, UserConfig } from "../settings/user-config.ts";

/** A service reached with the person's own key. */
export interface OwnProvider {
  readonly name: string;
  readonly type: "anthropic" | "openai" | "openai-compatible" | "openrouter";
  /** With the version path. */
  readonly baseUrl: string;
  /** Local services need none. */
  readonly apiKey: string | undefined;
  /** The model to use when the agent's own does not fit; for services the table does not know. */
  readonly model: string | undefined;
  readonly source: string;
}

/** A provider that cannot be used now, and why. */
export interface MissingProvider {
  readonly name: string;
  readonly reason: string;
}

interface Known {
  readonly type: OwnProvider["type"];
  readonly key: string;
  readonly base: string;
  readonly url: string;
  /** What stands between the base URL and the methods. */
  readonly path: string;
}

/** Variables of the services we know by name; base URLs are given without the version path. */
const knownProviders: Readonly<Record<string, Known>> = {
  anthropic: {
    type: "anthropic",
    key: "ANTHROPIC_API_KEY",
    base: "ANTHROPIC_BASE_URL",
    url: "https://api.anthropic.com",
    path: "/v1",
  },
  openai: {
    type: "openai",
    key: "OPENAI_API_KEY",
    base: "OPENAI_BASE_URL",
    url: "https://api.openai.com",
    path: "/v1",
  },
  openrouter: {
    type: "openrouter",
    key: "OPENROUTER_API_KEY",
    base: "OPENROUTER_BASE_URL",
    url: "https://openrouter.ai/api",
    path: "/v1",
  },
  gemini: {
    type: "openai-compatible",
    key: "GEMINI_API_KEY",
    base: "GEMINI_BASE_URL",
    url: "https://generativelanguage.googleapis.com",
    path: "/v1beta/openai",
  },
};

const pathOf: Readonly<Record<OwnProvider["type"], string>> = {
  anthropic: "/v1",
  openai: "/v1",
  openrouter: "/v1",
  "openai-compatible": "/v1",
};

/** Providers of the configuration first, then those the environment has keys for. */
export function findOwnProviders(
  env: NodeJS.ProcessEnv,
  config: Pick<UserConfig, "providers">,
): { usable: OwnProvider[]; missing: MissingProvider[] } {
  const usable: OwnProvider[] = [];
  const missing: MissingProvider[] = [];
  for (const [name, given] of Object.entries(config.providers)) {
    const found = fromConfig(name, given, env);
    if (found === undefined) continue;
    if ("reason" in found) missing.push(found);
    else usable.push(found);
  }
  for (const [name, { type, key, base, url, path }] of Object.entries(knownProviders)) {
    if (usable.some((one) => one.name === name)) continue;
    const apiKey = env[key]?.trim();
    if (!apiKey) missing.push({ name, reason: `${key} is not set` });
    else
      usable.push({
        name,
        type,
        apiKey,
        baseUrl: withPath(env[base]?.trim() || url, path),
        model: undefined,
        source: key,
      });
  }
  return { usable, missing };
}

function fromConfig(
  name: string,
  given: ProviderConfig,
  env: NodeJS.ProcessEnv,
): OwnProvider | MissingProvider | undefined {
  const { type, apiKeyEnv, model } = given;
  if (type === "backend") return undefined;
  const known = knownProviders[name] ?? knownProviders[type];
  const variable = apiKeyEnv ?? known?.key;
  const apiKey = variable === undefined ? undefined : env[variable]?.trim() || undefined;
  const base = given.baseUrl ?? (known === undefined ? undefined : env[known.base]?.trim() || known.url);
  if (base === undefined) return { name, reason: "the configuration has no baseUrl for it" };
  if (apiKey === undefined && (apiKeyEnv !== undefined || type !== "openai-compatible"))
    return { name, reason: `${variable ?? "its key variable"} is not set` };
  return { name, type, baseUrl: withPath(base, known?.path ?? pathOf[type]), apiKey, model, source: "config.json" };
}

/** A URL that already ends in a version path is taken as it is. */
function withPath(base: string, path: string): string {
  const trimmed = base.replace(/\/+$/, "");
  return /\/v\d+\w*(\/openai)?$/.test(trimmed) ? trimmed : trimmed + path;
}
