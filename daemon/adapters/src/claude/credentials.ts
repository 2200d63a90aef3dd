import { delimiter, join } from "node:path";
import { isRecord } from "@muster/core";
import { type AgentCredentials, type DiscoveryHost, Findings, isExpired, textOf } from "../credentials/discovery.ts";

const provider = "anthropic";
const prefix = "sk-ant-";
const keyFields = ["primaryApiKey", "apiKey", "anthropicApiKey", "customApiKey"];

/** Further files with keys, read after those of the documented order, separated like the entries of PATH. */
const extraFiles = "SANDBOX_DAEMON_CLAUDE_FILES";

/**
 * The documented order: environment, key files, OAuth files. A token and a key look alike (`sk-ant-`), so what something
 * is depends on where it was found. `CLAUDE_CONFIG_DIR` moves the agent's own two files.
 */
export const claudeCredentials: AgentCredentials = {
  providers: [provider],
  providerOf: () => provider,
  async discover(host) {
    const { env, home } = host;
    const findings = new Findings(host);
    for (const name of ["ANTHROPIC_API_KEY", "CLAUDE_API_KEY"]) {
      findings.variable(name, { provider, kind: "api_key", variable: "ANTHROPIC_API_KEY", prefix });
    }
    for (const name of ["CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_AUTH_TOKEN"]) {
      findings.variable(name, { provider, kind: "oauth" });
    }
    const moved = env.CLAUDE_CONFIG_DIR;
    const extra = env[extraFiles]?.split(delimiter).filter(Boolean) ?? [];
    const keyFiles = [
      join(home, ".claude.json.api"),
      join(moved ?? home, ".claude.json"),
      join(home, ".claude.json.nathan"),
      ...extra,
    ];
    for (const path of keyFiles) await keyFile(findings, path);
    const own = join(moved ?? join(home, ".claude"), ".credentials.json");
    await oauthFile(findings, host, own, { isOwn: true });
    await oauthFile(findings, host, join(home, ".claude-oauth-credentials.json"), { isOwn: false });
    return findings;
  },
};

async function keyFile(findings: Findings, path: string): Promise<void> {
  const content = await findings.json(provider, path);
  for (const field of keyFields) {
    const secret = textOf(content?.[field]);
    if (secret === undefined) continue;
    const source = `${findings.shown(path)} ${field}`;
    if (secret.startsWith(prefix)) {
      return findings.add({ provider, kind: "api_key", source, secret, variable: "ANTHROPIC_API_KEY" });
    }
    findings.skip(provider, `${source}: does not start with ${prefix}`);
  }
}

async function oauthFile(
  findings: Findings,
  { now }: DiscoveryHost,
  path: string,
  { isOwn }: { isOwn: boolean },
): Promise<void> {
  const content = await findings.json(provider, path);
  if (content === undefined) return;
  const source = `${findings.shown(path)} claudeAiOauth`;
  const oauth = isRecord(content.claudeAiOauth) ? content.claudeAiOauth : {};
  const secret = textOf(oauth.accessToken);
  if (secret === undefined) return findings.skip(provider, `${source}: has no accessToken`);
  // The agent renews its own login; nobody renews a token that is only handed on.
  const ownLogin = isOwn && textOf(oauth.refreshToken) !== undefined;
  if (isExpired(oauth.expiresAt, now) && !ownLogin) return findings.skip(provider, `${source}: expired`);
  findings.add({
    provider,
    kind: "oauth",
    source,
    secret,
    variable: "CLAUDE_CODE_OAUTH_TOKEN",
    ownLogin: ownLogin ? true : undefined,
  });
}
