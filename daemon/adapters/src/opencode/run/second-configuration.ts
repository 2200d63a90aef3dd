import { isRecord } from "@muster/core";
import type { OpenOptions } from "../../adapter.ts";
import { modelName } from "../wire/settings.ts";
import type { Accesses } from "./access.ts";
import { isFreeProviderOffered } from "./configuration.ts";

const rule = (action: string, effect: "allow" | "ask" | "deny", resource = "*") => ({ action, resource, effect });

/** As for version 1: everything asks but what only looks. Later rules win. */
const permissions = [
  rule("*", "ask"),
  ...["read", "glob", "grep", "list", "lsp", "subagent", "skill", "question"].map((action) => rule(action, "allow")),
  rule("read", "ask", "*.env"),
  rule("read", "ask", "*.env.*"),
  rule("read", "allow", "*.env.example"),
];
const looking = { permissions: [...permissions, rule("edit", "deny")] };

/**
 * The configuration of version 1 in the words of OpenCode 2, which has no list of logins in its environment: keys stand
 * with their providers.
 */
export function secondConfiguration(
  first: Readonly<Record<string, unknown>>,
  options: OpenOptions,
  accesses: Accesses | undefined,
): Record<string, unknown> {
  const { shell, provider, mcp } = first;
  const given = isRecord(provider) ? provider : {};
  const own = options.model === undefined ? undefined : modelName(options.model)?.providerID;
  const isOwn = own !== undefined && (options.token !== undefined || options.baseUrl !== undefined);
  const names = new Set([...Object.keys(given), ...(isOwn ? [own] : [])]);
  const providers = [...names].map((name) => {
    const { npm, name: shown, options: settings, models } = isRecord(given[name]) ? given[name] : {};
    const held = keyOf(accesses?.get(name)) ?? (isOwn && name === own ? (options.token ?? "none") : undefined);
    const { baseURL, apiKey = held } = isRecord(settings) ? settings : {};
    return [
      name,
      { package: npm === undefined ? undefined : `aisdk:${npm}`, name: shown, settings: { baseURL, apiKey }, models },
    ];
  });
  return {
    autoupdate: false,
    share: "disabled",
    shell,
    permissions,
    agents: { build: { permissions }, general: { permissions }, plan: looking, explore: looking },
    providers: providers.length > 0 ? Object.fromEntries(providers) : undefined,
    experimental: isFreeProviderOffered(options)
      ? undefined
      : { policies: [{ action: "provider.use", resource: "opencode", effect: "deny" }] },
    mcp: isRecord(mcp) ? { servers: mcp } : undefined,
  };
}

/** A login of OpenCode's own stays with it. */
function keyOf(access: { keys: string; token: string } | undefined): string | undefined {
  return access?.keys === "gateway" ? access.token : undefined;
}
