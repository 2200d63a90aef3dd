import type { Mode, Model } from "@muster/schema";
import { z } from "zod";
import { AgentStartFailure } from "../../adapter.ts";
import { noKeyFailure } from "../../credentials/no-key.ts";
import { type ModelName, modelName } from "../wire/settings.ts";
import type { OpencodeHttp } from "./http.ts";

const ModelEntry = z.object({
  id: z.string(),
  name: z.string().optional(),
  limit: z.object({ context: z.number().optional() }).optional(),
  cost: z.object({ input: z.number().optional(), output: z.number().optional() }).optional(),
  variants: z.record(z.string(), z.unknown()).optional(),
});
const Providers = z.object({
  providers: z.array(z.object({ id: z.string(), models: z.record(z.string(), ModelEntry) })),
  default: z.record(z.string(), z.string()).optional(),
});
const Configuration = z.object({ model: z.string().optional() });
const Agents = z.array(
  z.object({
    name: z.string(),
    mode: z.string(),
    // An agent that is configured has null where others have nothing.
    hidden: z.boolean().nullish(),
    description: z.string().nullish(),
    permission: z.array(z.object({ permission: z.string(), pattern: z.string(), action: z.string() })).optional(),
  }),
);

interface Chosen extends ModelName {
  contextWindow?: number;
  priced: boolean;
}

export async function readModels(http: OpencodeHttp, directory?: string): Promise<Model[]> {
  return modelsOf(http, await readProviders(http, directory), directory);
}

/** Only providers with a key, not the 10 MB list of all there are. */
async function readProviders(http: OpencodeHttp, directory: string | undefined) {
  return Providers.parse(await http.get("/config/providers", directory));
}

async function modelsOf(
  http: OpencodeHttp,
  { providers, default: preferred = {} }: z.infer<typeof Providers>,
  directory: string | undefined,
): Promise<Model[]> {
  const { model: configured } = Configuration.parse(await http.get("/config", directory));
  const first = providers.find(({ id }) => preferred[id] !== undefined)?.id;
  const standard = configured ?? (first === undefined ? undefined : `${first}/${preferred[first]}`);
  return providers.flatMap(({ id: provider, models }) =>
    Object.values(models).map(({ id, name, limit, variants }): Model => {
      const whole = `${provider}/${id}`;
      return {
        id: whole,
        name,
        provider,
        default: whole === standard ? true : undefined,
        variants: variants && Object.keys(variants),
        contextWindow: limit?.context || undefined,
      };
    }),
  );
}

export async function readModes(http: OpencodeHttp, directory?: string): Promise<Mode[]> {
  const agents = Agents.parse(await http.get("/agent", directory));
  return agents
    .filter(({ mode, hidden }) => mode !== "subagent" && hidden !== true)
    .map(({ name, description }) => ({
      id: name,
      description: description ?? undefined,
      default: name === "build" ? true : undefined,
    }));
}

/** The model a session works with: an unknown one would fail only after its first prompt had been accepted. */
export async function chooseModel(
  http: OpencodeHttp,
  { model, variant, directory }: { model?: string | undefined; variant?: string | undefined; directory: string },
): Promise<Chosen> {
  const all = await readProviders(http, directory);
  const models = await modelsOf(http, all, directory);
  const found = models.find(({ id, default: isDefault }) => (model === undefined ? isDefault : id === model));
  const name = modelName(found?.id ?? "");
  if (found === undefined || name === undefined) throw noModel(model, models);
  if (variant !== undefined && found.variants?.includes(variant) !== true) {
    const known = found.variants?.join(", ") || "none";
    throw new AgentStartFailure("unsupported", `The model ${found.id} has no variant '${variant}'; it has: ${known}`);
  }
  return { ...name, contextWindow: found.contextWindow, priced: isPriced(all, name) };
}

export async function checkMode(http: OpencodeHttp, agentMode: string, directory: string): Promise<void> {
  const names = (await readModes(http, directory)).map(({ id }) => id);
  if (names.includes(agentMode)) return;
  throw new AgentStartFailure("unsupported", `OpenCode has no mode '${agentMode}', only ${names.join(", ")}`);
}

/** A project can bring agents with rules of their own, which beat ours; then we cannot promise to ask. */
export async function checkRules(http: OpencodeHttp, directory: string): Promise<void> {
  const agents = Agents.parse(await http.get("/agent", directory));
  for (const { name, hidden, permission = [] } of agents) {
    if (hidden) continue;
    for (const gated of ["bash", "edit"]) {
      const whole = permission.filter((rule) => rule.pattern === "*" && [gated, "*"].includes(rule.permission));
      if (whole.at(-1)?.action !== "allow") continue;
      const message = `The agent '${name}' of this project may use ${gated} without asking: use permissionMode bypass, or change its rules`;
      throw new AgentStartFailure("unsupported", message);
    }
  }
}

function isPriced({ providers }: z.infer<typeof Providers>, { providerID, modelID }: ModelName): boolean {
  const cost = providers.find(({ id }) => id === providerID)?.models[modelID]?.cost;
  return (cost?.input ?? 0) > 0 || (cost?.output ?? 0) > 0;
}

function noModel(model: string | undefined, models: readonly Model[]): AgentStartFailure {
  if (models.length === 0) {
    const variable = "ANTHROPIC_API_KEY, OPENAI_API_KEY or another provider's";
    return noKeyFailure({ agent: "OpenCode", variable, login: "opencode auth login" });
  }
  const known = models.slice(0, 20).map(({ id }) => id);
  const more = models.length > known.length ? ` and ${models.length - known.length} more` : "";
  const missing = model === undefined ? "OpenCode has no default model" : `OpenCode has no model '${model}'`;
  return new AgentStartFailure("unsupported", `${missing}; it has ${known.join(", ")}${more}`);
}
