import { join } from "node:path";
import { type AgentCredentials, Findings, textOf } from "../credentials/discovery.ts";

const provider = "amp";
const ownService = "https://ampcode.com/";

/**
 * The original documents say that Amp uses Claude's credentials; the program of today does not. It takes AMP_API_KEY, or
 * what `amp login` has stored for the service it talks to.
 */
export const ampCredentials: AgentCredentials = {
  providers: [provider],
  providerOf: () => provider,
  async discover(host) {
    const { env, home } = host;
    const findings = new Findings(host);
    findings.variable("AMP_API_KEY", { provider, kind: "api_key" });
    const path = join(env.XDG_DATA_HOME || join(home, ".local", "share"), "amp", "secrets.json");
    const content = await findings.json(provider, path);
    if (content === undefined) return findings;
    const service = env.AMP_URL || ownService;
    const field = `apiKey@${service.endsWith("/") ? service : `${service}/`}`;
    const secret = textOf(content[field]);
    const source = `${findings.shown(path)} ${field}`;
    if (secret === undefined) findings.skip(provider, `${source}: is not there`);
    else findings.add({ provider, kind: "api_key", source, secret, variable: "AMP_API_KEY", ownLogin: true });
    return findings;
  },
};
