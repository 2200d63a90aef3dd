import { Failure, type Model } from "@muster/schema";
import { z } from "zod";
import type { AgentHost } from "../host.ts";
import { findInstalled } from "../install/find-installed.ts";
import { codexRelease } from "./release.ts";
import { withIdleServer } from "./run/process.ts";

const ModelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      hidden: z.boolean(),
      isDefault: z.boolean(),
      supportedReasoningEfforts: z.array(z.object({ reasoningEffort: z.string() })),
    }),
  ),
});

/** The catalogue inside the program; it needs neither a key nor the network (0.166.0), but the program. */
export async function codexModels(host: AgentHost): Promise<Model[]> {
  if (!(await findInstalled(host, codexRelease, { trusting: true }))) {
    throw new Failure("agent_unhealthy", "Codex is not installed; its models are in its program", { agent: "codex" });
  }
  const answer = await withIdleServer(host, (server) => server.request("model/list", { limit: 200 })).catch(unhealthy);
  return ModelList.parse(answer)
    .data.filter(({ hidden }) => !hidden)
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
