import { join } from "node:path";
import { isRecord, parseJson } from "@muster/core";
import { type AgentCredentials, Findings, isExpired, textOf } from "../credentials/discovery.ts";

const provider = "openai";

/** Environment, then the file `codex login` writes. Codex itself ignores OPENAI_API_KEY, so the adapter passes it on. */
export const codexCredentials: AgentCredentials = {
  providers: [provider],
  providerOf: () => provider,
  async discover(host) {
    const { env, home, now } = host;
    const findings = new Findings(host);
    for (const name of ["OPENAI_API_KEY", "CODEX_API_KEY"]) {
      findings.variable(name, { provider, kind: "api_key", variable: "OPENAI_API_KEY" });
    }
    const path = join(env.CODEX_HOME || join(home, ".codex"), "auth.json");
    const content = await findings.json(provider, path);
    if (content === undefined) return findings;
    const key = textOf(content.OPENAI_API_KEY);
    const source = findings.shown(path);
    if (key !== undefined) {
      const variable = "OPENAI_API_KEY";
      findings.add({ provider, kind: "api_key", source: `${source} ${variable}`, secret: key, variable });
    }
    const tokens = isRecord(content.tokens) ? content.tokens : {};
    const secret = textOf(tokens.access_token);
    if (key === undefined && secret === undefined) findings.skip(provider, `${source}: holds neither key nor tokens`);
    if (secret === undefined) return findings;
    const ownLogin = textOf(tokens.refresh_token) !== undefined;
    if (isExpired(expiryInside(secret), now) && !ownLogin) findings.skip(provider, `${source} tokens: expired`);
    else findings.add({ provider, kind: "oauth", source: `${source} tokens`, secret, ownLogin: true });
    return findings;
  },
};

/** `exp` of a JSON web token; undefined when the token is none. */
function expiryInside(token: string): unknown {
  const claims = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  return isRecord(claims) ? claims.exp : undefined;
}
