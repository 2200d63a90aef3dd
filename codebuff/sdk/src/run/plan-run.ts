import { homedir } from "node:os";
import { resolve } from "node:path";
import { type AgentDefinition, type ModeName, modes, rootAgentId } from "@muster/codebuff-protocol";
import { priceOf } from "@muster/metering";
import { agentFolders } from "../load/agent-files.ts";
import { loadProjectAgents } from "../load/load-agents.ts";
import { readProjectConfig } from "../load/project-config.ts";
import { Trust } from "../load/trust.ts";
import { checkAsked, resolveModel } from "../model/resolve-model.ts";
import { findWays, usesBackend, wayText } from "../model/ways.ts";
import { asModelFailure, ModelFailure } from "../model-failure.ts";
import type { CodebuffClientOptions } from "../setup/options.ts";
import { findBackend } from "../setup/prepare-run.ts";
import { readTrustItems } from "../setup/trust-items.ts";

export interface PlannedRun {
  readonly agentId: string;
  readonly model: string;
  /** Whose key it would be and where it goes, for people. */
  readonly way: string | undefined;
  /** False when nobody can say what it will cost. */
  readonly hasPrice: boolean;
}

/** Why no run can begin now; the words are those a run would end with. */
export interface RefusedRun {
  readonly refusal: { readonly code: string; readonly message: string; readonly statusCode: number | undefined };
}

export interface ListedAgent {
  readonly id: string;
  readonly displayName: string;
  readonly model: string;
  readonly source: "shipped" | "project";
  readonly description: string | undefined;
}

/** The agent and the model a run would use with the keys at hand, found out without running anything. */
export async function planRun(
  options: CodebuffClientOptions & { agent?: string; mode?: ModeName; model?: string },
  shipped: (id: string) => AgentDefinition | undefined,
): Promise<PlannedRun | RefusedRun> {
  const { apiKey, baseUrl, provider, processEnv: env, home } = options;
  try {
    const ways = await findWays({ apiKey, baseUrl, provider, env, home });
    await findBackend(ways, undefined);
    if (options.model !== undefined) checkAsked(ways, options.model);
    const root = resolve(options.cwd ?? process.cwd());
    const config = await readProjectConfig({ cwd: root, trust: new Trust({ home, root }), warn: () => undefined });
    const { agent = modes[options.mode ?? "DEFAULT"].agent, mode = "DEFAULT" } = options;
    const { costMode } = modes[mode];
    const agentId = rootAgentId({ agent: agent ?? (costMode === undefined ? config.baseAgent : undefined), costMode });
    // Nobody is asked to accept anything for a plan.
    const project = await projectAgents({ ...options, trust: undefined });
    const definition = project.find(({ id }) => id === agentId) ?? shipped(agentId);
    if (definition === undefined && !usesBackend(ways))
      throw new ModelFailure("refused", `There is no agent "${agentId}": codebuff agents list names them`, {
        code: "agent_not_found",
      });
    const model = resolveModel(ways, options.model ?? definition?.model ?? "");
    const way = wayText(ways, options.model ?? definition?.model ?? "");
    return { agentId, model, way, hasPrice: usesBackend(ways) || priceOf(model) !== undefined };
  } catch (error) {
    const { message, code = "run_failed", statusCode } = asModelFailure(error, Date.now());
    return { refusal: { code, message, statusCode } };
  }
}

/** Agents of the project that have been accepted, then the shipped ones. */
export async function listAgents(
  options: CodebuffClientOptions,
  shipped: readonly AgentDefinition[],
  warn: (message: string) => void,
): Promise<ListedAgent[]> {
  const own = await projectAgents(options, warn);
  const listed = [
    ...own.map((agent) => ({ agent, source: "project" as const })),
    ...shipped
      .filter(({ id }) => !own.some((one) => one.id === id))
      .map((agent) => ({ agent, source: "shipped" as const })),
  ];
  return listed.map(({ agent: { id, displayName, model, spawnerPrompt }, source }) => ({
    id,
    displayName,
    model,
    source,
    description: spawnerPrompt,
  }));
}

async function projectAgents(
  { cwd, home = homedir(), trust: decide }: CodebuffClientOptions,
  warn: (message: string) => void = () => undefined,
): Promise<AgentDefinition[]> {
  const root = resolve(cwd ?? process.cwd());
  const trust = new Trust({ home, root, decide });
  // One question for all of it, as a run would ask.
  if (trust.canAsk) await trust.review(await readTrustItems(root, home));
  return loadProjectAgents({
    folders: agentFolders(root, home),
    home,
    trust,
    warn: (file, message) => warn(`${file}: ${message}`),
  });
}
