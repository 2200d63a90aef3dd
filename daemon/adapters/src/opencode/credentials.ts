import { join } from "node:path";
import { isRecord } from "@muster/core";
import { type AgentCredentials, type DiscoveryHost, Findings, isExpired, textOf } from "../credentials/discovery.ts";

/** provider → the variable OpenCode knows for it */
const variables: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  groq: "GROQ_API_KEY",
  xai: "XAI_API_KEY",
  mistral: "MISTRAL_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
};

/** Per provider: environment, then OpenCode's own file. OpenCode alone would take them the other way round. */
export const opencodeCredentials: AgentCredentials = {
  providers: ["anthropic", "openai"],
  providerOf: ({ model }) => model?.split("/")[0],
  async discover(host) {
    const { env, home } = host;
    const findings = new Findings(host);
    for (const [provider, name] of Object.entries(variables)) findings.variable(name, { provider, kind: "api_key" });
    const path = join(env.XDG_DATA_HOME || join(home, ".local", "share"), "opencode", "auth.json");
    const content = await findings.json("anthropic", path);
    for (const [provider, entry] of Object.entries(content ?? {})) {
      login(findings, host, { provider, entry, source: `${findings.shown(path)} ${provider}` });
    }
    return findings;
  },
};

interface Login {
  provider: string;
  entry: unknown;
  source: string;
}

/** `api` has a key, `oauth` an access token with its end, `wellknown` a token and the variable it is for. */
function login(findings: Findings, { now }: DiscoveryHost, { provider, entry, source }: Login): void {
  const { type, key, access, refresh, expires, token } = isRecord(entry) ? entry : {};
  const secret = textOf(type === "api" ? key : type === "oauth" ? access : type === "wellknown" ? token : undefined);
  if (secret === undefined) return findings.skip(provider, `${source}: holds no key or token`);
  if (type === "oauth") {
    const ownLogin = textOf(refresh) !== undefined;
    if (isExpired(expires, now) && !ownLogin) return findings.skip(provider, `${source}: expired`);
    return findings.add({ provider, kind: "oauth", source, secret, ownLogin: true });
  }
  const variable = type === "wellknown" ? textOf(key) : variables[provider];
  findings.add({ provider, kind: "api_key", source, secret, variable });
}
