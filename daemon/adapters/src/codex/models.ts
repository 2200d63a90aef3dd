import { Failure, type Model } from "@muster/schema";
import type { AgentHost } from "../host.ts";
import { findInstalled } from "../install/installed/find-installed.ts";
import { codexRelease } from "./release.ts";
import { readCatalogue } from "./run/catalogue.ts";
import { withIdleServer } from "./run/process.ts";

/** The catalogue inside the program: without it there is none. */
export async function codexModels(host: AgentHost): Promise<Model[]> {
  if (!(await findInstalled(host, codexRelease, { trusting: true }))) {
    throw new Failure("agent_unhealthy", "Codex is not installed; its models are in its program", { agent: "codex" });
  }
  const catalogue = await withIdleServer(host, readCatalogue).catch(unhealthy);
  return catalogue
    .filter(({ hidden }) => !hidden)
    .map(({ id, displayName, isDefault, supportedReasoningEfforts }) => ({
      id,
      name: displayName,
      provider: "openai",
      default: isDefault ? true : undefined,
      variants: supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort),
    }));
}

function unhealthy(error: unknown): never {
  throw new Failure("agent_unhealthy", `Codex did not tell its models: ${String(error)}`, { agent: "codex" });
}
