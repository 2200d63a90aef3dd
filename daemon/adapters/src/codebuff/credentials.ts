import { join } from "node:path";
import { isRecord } from "@muster/core";
import { type AgentCredentials, Findings, textOf } from "../credentials/discovery.ts";

const provider = "codebuff";

/** Whom a key is for → the two variables by which Codebuff takes it. `prefix` tells a key by itself. */
export const providers: Readonly<Record<string, { key: string; url: string; prefix?: string }>> = {
  anthropic: { key: "ANTHROPIC_API_KEY", url: "ANTHROPIC_BASE_URL", prefix: "sk-ant-" },
  openrouter: { key: "OPENROUTER_API_KEY", url: "OPENROUTER_BASE_URL", prefix: "sk-or-" },
  openai: { key: "OPENAI_API_KEY", url: "OPENAI_BASE_URL", prefix: "sk-" },
  gemini: { key: "GEMINI_API_KEY", url: "GEMINI_BASE_URL" },
  codebuff: { key: "CODEBUFF_API_KEY", url: "CODEBUFF_BASE_URL" },
};

/** Whose key a token is: told by the session, else by the key; what no provider's prefix fits is a Codebuff key. */
export function providerOfToken({
  token = "",
  agentOptions,
}: {
  token?: string | undefined;
  agentOptions?: Readonly<Record<string, unknown>> | undefined;
}): string {
  const named = agentOptions?.provider;
  if (typeof named === "string") return named;
  const [known = provider] =
    Object.entries(providers).find(([, { prefix }]) => prefix !== undefined && token.startsWith(prefix)) ?? [];
  return known;
}

/** Environment, `~/.codebuff/config.json`, `~/.codebuff/auth.json`, the file of the older command; then own keys. */
export const codebuffCredentials: AgentCredentials = {
  providers: [provider],
  providerOf: providerOfToken,
  async discover(host) {
    const { home } = host;
    const findings = new Findings(host);
    findings.variable("CODEBUFF_API_KEY", { provider, kind: "api_key" });
    for (const name of ["config.json", "auth.json"]) {
      const path = join(home, ".codebuff", name);
      const content = await findings.json(provider, path);
      take(findings, path, content, "apiKey") || take(findings, path, content, "token");
    }
    const older = join(home, ".config", "manicode", "credentials.json");
    const content = await findings.json(provider, older);
    take(findings, older, isRecord(content?.default) ? content.default : undefined, "authToken");
    for (const [owner, { key }] of Object.entries(providers)) {
      if (owner !== provider) findings.variable(key, { provider: owner, kind: "api_key" });
    }
    return findings;
  },
};

function take(findings: Findings, path: string, content: Record<string, unknown> | undefined, field: string): boolean {
  const secret = textOf(content?.[field]);
  if (secret === undefined) return false;
  const source = `${findings.shown(path)} ${field}`;
  findings.add({ provider, kind: "api_key", source, secret, variable: "CODEBUFF_API_KEY", ownLogin: true });
  return true;
}
