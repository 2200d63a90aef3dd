import { type AgentCredentials, Findings } from "../../src/credentials/discovery.ts";

export const tinyCredentials: AgentCredentials = {
  providers: ["tiny"],
  providerOf: () => "tiny",
  async discover(host) {
    const findings = new Findings(host);
    findings.variable("TINY_API_KEY", { provider: "tiny", kind: "api_key" });
    return findings;
  },
};
