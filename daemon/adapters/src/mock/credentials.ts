import { type AgentCredentials, Findings } from "../credentials/discovery.ts";

/** It calls no model, so nobody's key. */
export const mockCredentials: AgentCredentials = {
  providers: [],
  providerOf: () => undefined,
  discover: async (host) => new Findings(host),
};
