import { homedir } from "node:os";
import { resolve } from "node:path";
import { AgentDefinition, type AgentDefinitionInput, checkAgentDefinitions } from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { z } from "zod";
import { type AgentFolder, agentFiles, agentFolders } from "./agent-files.ts";
import { buildAgentModule, importAgentModule } from "./agent-module.ts";
import { howToTrust, type Trust } from "./trust.ts";

export type LoadedAgentDefinition = AgentDefinitionInput & { _sourceFilePath: string };
export type LoadedAgents = Record<string, LoadedAgentDefinition>;
export interface LoadLocalAgentsResult {
  agents: LoadedAgents;
  validationErrors: { agentId: string; filePath?: string; message: string }[];
}

interface Loading {
  readonly folders: readonly AgentFolder[];
  readonly home: string;
  /** Undefined: the caller vouches for what it loads. */
  readonly trust: Trust | undefined;
  /** A file that is broken or not accepted is told and left out; the rest loads. */
  readonly warn: (file: string, message: string) => void;
}

/**
 * Agents from `.agents` of the project, its parent and the home directory; the project wins. The caller vouches for the
 * files: their code runs.
 */
export async function loadLocalAgents(options: {
  agentsPath?: string;
  verbose?: boolean;
  validate: true;
}): Promise<LoadLocalAgentsResult>;
export async function loadLocalAgents(options?: {
  agentsPath?: string;
  verbose?: boolean;
  validate?: false;
}): Promise<LoadedAgents>;
export async function loadLocalAgents({
  agentsPath,
  verbose = false,
  validate = false,
}: {
  agentsPath?: string;
  verbose?: boolean;
  validate?: boolean;
} = {}): Promise<LoadedAgents | LoadLocalAgentsResult> {
  const folders = agentsPath === undefined ? agentFolders(process.cwd()) : [{ path: resolve(agentsPath), isOwn: true }];
  const validationErrors: LoadLocalAgentsResult["validationErrors"] = [];
  const warn = (filePath: string, message: string) => {
    validationErrors.push({ agentId: "", filePath, message });
    if (verbose) process.stderr.write(`${filePath}: ${message}\n`);
  };
  const found = await loadAgents({ folders, home: homedir(), trust: undefined, warn });
  if (!validate) return found;
  const agents: LoadedAgents = {};
  for (const [id, agent] of Object.entries(found)) {
    const checked = AgentDefinition.safeParse(agent);
    if (checked.success) agents[id] = agent;
    else
      validationErrors.push({ agentId: id, filePath: agent._sourceFilePath, message: z.prettifyError(checked.error) });
  }
  return { agents, validationErrors };
}

/** The same for a run: what is not the person's own has to be accepted, and only sound definitions come through. */
export async function loadProjectAgents(options: Loading): Promise<AgentDefinition[]> {
  const found = Object.values(await loadAgents(options));
  const { agents, faults } = checkAgentDefinitions(found);
  for (const { id, message } of faults) {
    options.warn(found.find((agent) => agent.id === id)?._sourceFilePath ?? id, message);
  }
  return agents;
}

async function loadAgents({ folders, home, trust, warn }: Loading): Promise<LoadedAgents> {
  const agents: LoadedAgents = {};
  for (const { path: folder, isOwn } of folders) {
    for (const file of await agentFiles(folder)) {
      try {
        const code = await buildAgentModule(file);
        const isAccepted =
          isOwn || trust === undefined || (await trust.accepts({ kind: "agent", path: file, content: code }));
        if (!isAccepted) {
          warn(file, `not loaded: this agent has not been accepted yet; ${howToTrust}`);
          continue;
        }
        const exported = await importAgentModule(code, { home });
        // Files beside agents may export other things; only what has an id is meant to be one.
        if (!isDefinition(exported)) {
          warn(file, `its default export is not an agent definition${faultyFields(exported)}`);
          continue;
        }
        agents[exported.id] ??= { ...exported, _sourceFilePath: file };
      } catch (error) {
        warn(file, messageOf(error));
      }
    }
  }
  return agents;
}

/** Which fields are wrong, where it is meant to be an agent at all. */
function faultyFields(value: unknown): string {
  const isMeant = typeof value === "object" && value !== null && ("id" in value || "model" in value);
  const issues = isMeant ? (AgentDefinition.safeParse(value).error?.issues ?? []) : [];
  return issues.map(({ path, message }, at) => `${at === 0 ? ": " : "; "}${path.join(".")}: ${message}`).join("");
}

function isDefinition(value: unknown): value is AgentDefinitionInput {
  return z.looseObject({ id: z.string(), model: z.string() }).safeParse(value).success;
}
