import { agentAliases } from "@muster/codebuff-agents";
import { AgentDefinition } from "@muster/codebuff-protocol";
import { type AgentStore, type FoundAgent, startIsolatedSteps } from "@muster/codebuff-runtime";
import type { Backend } from "../backend/backend.ts";

export interface AgentSources {
  /** The first one with an id wins: of the caller, of the project, shipped. */
  readonly local: readonly AgentDefinition[];
  readonly backend: Backend | undefined;
  /** The model an agent really runs on with the keys at hand. */
  readonly modelFor: (wanted: string) => string;
}

/** Looked up once per version and process: what a version is does not change. */
const stored = new Map<string, AgentDefinition>();

/** Local agents by id, then the store; an id of the store is `publisher/id@version`, a bare one is Codebuff's own. */
export function sdkAgentStore({ local, backend, modelFor }: AgentSources): AgentStore {
  const known = new Map<string, AgentDefinition>();
  for (const agent of local) if (!known.has(agent.id)) known.set(agent.id, agent);
  const looking = new Map<string, Promise<FoundAgent | undefined>>();
  const adapt = (definition: AgentDefinition): AgentDefinition => ({
    ...definition,
    model: modelFor(definition.model),
  });
  return {
    async find(id, signal) {
      const { publisher, name, version } = readId(id);
      const isOwn = publisher === undefined || publisher === "codebuff";
      const own = isOwn ? (known.get(name) ?? known.get(agentAliases[name] ?? name)) : undefined;
      if (own !== undefined) return { definition: adapt(own), origin: "local" };
      if (backend !== undefined) {
        const asked =
          looking.get(id) ?? fetchAgent(backend, { publisher: publisher ?? "codebuff", name, version }, signal);
        looking.set(id, asked);
        asked.catch(() => looking.delete(id));
        const found = await asked;
        if (found !== undefined) return { ...found, definition: adapt(found.definition) };
      }
      return { available: [...known.keys()].sort() };
    },
  };
}

interface StoreId {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
}

async function fetchAgent(
  backend: Backend,
  { publisher, name, version }: StoreId,
  signal: AbortSignal,
): Promise<FoundAgent | undefined> {
  const key = `${publisher}/${name}@${version}`;
  let definition = stored.get(key);
  if (definition === undefined) {
    const found = await backend.storedAgent(publisher, name, version, signal);
    if (found === undefined) return undefined;
    definition = AgentDefinition.parse({ ...(found.data as object), publisher, version: found.version });
    stored.set(`${publisher}/${name}@${found.version}`, definition);
  }
  const { handleSteps } = definition;
  if (handleSteps === undefined) return { definition, origin: "store" };
  return { definition, origin: "store", startSteps: (start) => startIsolatedSteps(String(handleSteps), start) };
}

function readId(id: string): { publisher: string | undefined; name: string; version: string } {
  const [, publisher, name = id, version = "latest"] = /^(?:([^/@]+)\/)?([^/@]+)(?:@(.+))?$/.exec(id) ?? [];
  return { publisher, name, version };
}
