import { join } from "node:path";
import { type AgentCredentials, Findings, isRecord, textOf } from "../credentials/discovery.ts";

const provider = "codebuff";

/** Environment, `~/.codebuff/config.json`, `~/.codebuff/auth.json`, and last the file of the older command. */
export const codebuffCredentials: AgentCredentials = {
  providers: [provider],
  providerOf: () => provider,
  async discover(surroundings) {
    const { home } = surroundings;
    const findings = new Findings(surroundings);
    findings.variable("CODEBUFF_API_KEY", { provider, kind: "api_key" });
    for (const name of ["config.json", "auth.json"]) {
      const path = join(home, ".codebuff", name);
      const content = await findings.json(provider, path);
      take(findings, path, content, "apiKey") || take(findings, path, content, "token");
    }
    const older = join(home, ".config", "manicode", "credentials.json");
    const content = await findings.json(provider, older);
    take(findings, older, isRecord(content?.default) ? content.default : undefined, "authToken");
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
