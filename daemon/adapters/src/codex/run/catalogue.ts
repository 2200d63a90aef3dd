import { z } from "zod";
import { AgentStartFailure, type OpenOptions } from "../../adapter.ts";
import { type Access, isOpenai } from "./access.ts";
import type { CodexServer } from "./server.ts";

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

/** The models inside the program; it needs neither a key nor the network for them (0.166.0). */
export async function readCatalogue(server: CodexServer) {
  return ModelList.parse(await server.request("model/list", { limit: 200, includeHidden: true })).data;
}

/**
 * Codex takes any name and fails at its first call. Behind an endpoint of the session's own, or of the user's configuration,
 * there may be any model.
 */
export async function checkModel(server: CodexServer, { provider }: Access, { model }: OpenOptions): Promise<void> {
  if (model === undefined || provider === undefined || !isOpenai(provider)) return;
  const catalogue = await readCatalogue(server);
  if (catalogue.some(({ id }) => id === model)) return;
  const names = catalogue.filter(({ hidden }) => !hidden).map(({ id }) => id);
  throw new AgentStartFailure("unsupported", `Codex has no model '${model}', only ${names.join(", ")}`);
}
