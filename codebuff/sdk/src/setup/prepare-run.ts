import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import {
  type AgentDefinition,
  type AgentDefinitionInput,
  checkAgentDefinitions,
  type Mode,
  modes,
  type PolicyRule,
  type RunState,
  rootAgentId,
  type SessionState,
} from "@muster/codebuff-protocol";
import type { RememberRules, Workspace } from "@muster/codebuff-workspace";
import { messageOf } from "@muster/core";
import { z } from "zod";
import { Backend } from "../backend/backend.ts";
import { getUserInfoFromApiKey } from "../backend/user-info.ts";
import type { CustomCommand } from "../commands/custom-command.ts";
import { findCommand, isTrustedCommand } from "../commands/read-commands.ts";
import { type Hook, readHooks } from "../hooks/read-hooks.ts";
import { agentFolders } from "../load/agent-files.ts";
import { readFileContext } from "../load/file-context.ts";
import { loadProjectAgents } from "../load/load-agents.ts";
import { type LoadedMCPConfig, readMcpConfig } from "../load/mcp-config.ts";
import { readProjectRules, rulesKeeper } from "../load/permission-rules.ts";
import { type ProjectConfig, readProjectConfig } from "../load/project-config.ts";
import { loadSkills, type SkillsMap } from "../load/skills.ts";
import { howToTrust, Trust } from "../load/trust.ts";
import type { ApproveTools } from "../mcp/mcp-servers.ts";
import { warmUp } from "../model/language-models.ts";
import { checkAsked } from "../model/resolve-model.ts";
import { findWays, isUnknownProvider, noWayMessage, usesBackend, type Ways } from "../model/ways.ts";
import { ModelFailure } from "../model-failure.ts";
import { SdkError } from "../sdk-error.ts";
import { checkSessionId } from "../sessions/places.ts";
import { newSessionId } from "../sessions/session-store.ts";
import type { KnownTrees } from "./known-trees.ts";
import type { CodebuffClientOptions, RunOptions } from "./options.ts";
import { missingTools, withoutMissing } from "./run-terminal.ts";
import { beginState, checkPreviousRun } from "./session-state.ts";
import { shapeRoot } from "./shape-root.ts";
import { isVirtual } from "./sources.ts";
import { readTrustItems } from "./trust-items.ts";
import type { Warnings } from "./warnings.ts";
import { tellMissingWalls, watchLaterPrograms } from "./watch-walls.ts";

export type RunExecutionOptions = CodebuffClientOptions & RunOptions;

/** Options that are wrong whatever happens: the only thing a run rejects for. */
export interface CheckedOptions {
  readonly root: string;
  /** False: a virtual project whose name is no directory here. */
  readonly isOnDisk: boolean;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly previousRun: RunState | undefined;
  readonly sessionId: string;
  readonly mode: Mode;
  readonly agents: readonly AgentDefinition[];
  /** Undefined leaves it to the cost mode and the project. */
  readonly agent: string | undefined;
}

export async function checkOptions(options: RunExecutionOptions): Promise<CheckedOptions> {
  const root = resolve(options.cwd ?? process.cwd());
  const isOnDisk = (await stat(root).catch(() => undefined))?.isDirectory() === true;
  if (!isOnDisk && !isVirtual(options)) throw new SdkError("bad_cwd", `There is no directory ${root}`);
  const given = options.agentDefinitions ?? [];
  const inline = typeof options.agent === "object" ? [options.agent] : [];
  if (options.prompt !== undefined && typeof options.prompt !== "string")
    throw new SdkError("bad_prompt", `The prompt is a text, not a ${typeof options.prompt}`);
  const { agents, faults } = checkAgentDefinitions(withoutSources([...inline, ...given]));
  const [fault] = faults;
  if (fault !== undefined && fault.message !== "another agent has the same id") {
    throw new SdkError("bad_agent", `The agent ${fault.id} cannot be used: ${fault.message}`);
  }
  const previousRun = checkPreviousRun(options.previousRun);
  const sessionId = options.sessionId ?? options.session?.id ?? previousRun?.sessionState?.sessionId ?? newSessionId();
  const mode = modes[options.mode ?? "DEFAULT"];
  const named = typeof options.agent === "object" ? options.agent.id : options.agent;
  return {
    root,
    isOnDisk,
    home: options.home ?? homedir(),
    env: options.processEnv ?? process.env,
    previousRun,
    sessionId: checkSessionId(sessionId),
    mode,
    agents,
    agent: named ?? mode.agent,
  };
}

/** Loaded agents carry where they come from; the schema does not know the field. */
function withoutSources(agents: readonly AgentDefinitionInput[]): unknown[] {
  return agents.map((agent) => {
    const { _sourceFilePath: _, ...definition } = agent as AgentDefinitionInput & { _sourceFilePath?: string };
    return definition;
  });
}

export interface PreparedRun {
  readonly ways: Ways;
  readonly backend: Backend | undefined;
  readonly config: ProjectConfig;
  /** What the person and the project have written down about calls of tools. */
  readonly rules: readonly PolicyRule[];
  readonly remember: RememberRules;
  readonly mcp: LoadedMCPConfig;
  readonly approveTools: ApproveTools;
  readonly skills: SkillsMap;
  /** What the person and the project have tied to the moments of a run. */
  readonly hooks: readonly Hook[];
  /** The command of the person's own that the prompt names, and what stands behind its name. */
  readonly command: NamedCommand | undefined;
  /** Files that came and went since the list in the system prompt was made. */
  readonly projectChanges: readonly string[];
  readonly agents: readonly AgentDefinition[];
  readonly rootAgent: string;
  readonly costMode: string | undefined;
  readonly sessionState: SessionState;
  /** Warns of what the run has changed that other programs run later. */
  tellLaterPrograms(): void;
}

/** Everything that is read before a prompt can be sent, side by side. Rejects with a failure that becomes the output. */
export async function prepareRun(
  options: RunExecutionOptions,
  checked: CheckedOptions,
  {
    workspace,
    warnings,
    shipped,
    told,
    trees,
  }: {
    workspace: Workspace;
    warnings: Warnings;
    shipped: readonly AgentDefinition[];
    told: Set<string>;
    trees: KnownTrees;
  },
): Promise<PreparedRun> {
  const { home, env, mode } = checked;
  const root = workspace.isVirtual ? checked.root : workspace.project.root;
  const warn = (message: string) => warnings.add(message);
  const [ways] = await Promise.all([findWays({ ...pickWays(options), env, home, warn }), workspace.refresh()]);
  if (!hasWay(ways)) await findBackend(ways, undefined);
  if (mode.writes === "denied" || options.permissions === "sandboxed") tellMissingWalls(workspace, warnings);
  const tellLaterPrograms = watchLaterPrograms(workspace, warnings);
  if (options.model !== undefined) checkAsked(ways, options.model);
  warmUp(ways);
  const trust = new Trust({ home, root, decide: options.trust });
  const untrusted = (message: string) => warnings.add(message, "untrusted");
  if (trust.canAsk) await trust.review(await readTrustItems(root, home));
  const loadAgents = loadProjectAgents({
    folders: agentFolders(root, home),
    home,
    trust,
    warn: (file, message) => {
      const text = `${file}: ${message}`;
      // Of a broken file the person is told once, not at every prompt.
      if (!told.has(text)) warnings.add(text, message.includes("accepted") ? "untrusted" : "agent_file");
      told.add(text);
    },
  });
  const skills = loadSkills({
    cwd: root,
    skillsPath: options.skillsDir,
    home,
    trust,
    warn: (message) => warnings.add(message, message.includes("accepted") ? "untrusted" : "warning"),
  });
  const [backend, projectAgents, config, mcp, projectRules, loadedSkills, hooks, command, fileContext] =
    await Promise.all([
      findBackend(ways, options.signal),
      loadAgents,
      readProjectConfig({ cwd: root, trust, warn: untrusted }),
      readMcpConfig({ cwd: root, home, trust, warn: untrusted }),
      readProjectRules(root, trust, untrusted),
      skills,
      options.hooks === true && !workspace.isVirtual
        ? readHooks({ root, home }, trust, (message, code) => warnings.add(message, code ?? "hooks"))
        : [],
      options.commands === true ? namedCommand(options.prompt ?? "", { root, home }, trust, warn) : undefined,
      skills.then((found) =>
        readFileContext({
          root: workspace.project.root,
          virtualRoot: workspace.isVirtual ? checked.root : undefined,
          home,
          knowledgeFiles: options.knowledgeFiles,
          userKnowledgeFiles: options.userKnowledgeFiles,
          skills: found,
          signal: options.signal,
          warn,
        }),
      ),
    ]);
  const costMode = options.costMode ?? mode.costMode;
  const agent = checked.agent ?? (costMode === undefined ? config.baseAgent : undefined);
  const rootAgent = rootAgentId({ agent, costMode });
  const known = checked.previousRun?.sessionState?.mainAgentState ?? options.session?.state ?? {};
  const extraToolResults = options.extraToolResults ?? [];
  const earlier = checked.previousRun?.sessionState?.fileContext.fileTree;
  const { tree, changes } = trees.settle(checked.sessionId, fileContext.fileTree, earlier);
  return {
    tellLaterPrograms,
    ways,
    backend,
    config,
    rules: [
      ...(command?.command.rules ?? []),
      ...(ways.config.permissions?.rules ?? []),
      ...(config.permissions?.rules ?? []),
      ...projectRules,
    ],
    remember: (rules, scope) =>
      rulesKeeper({ root, home, trust })(rules, scope).catch((error: unknown) =>
        warn(`The rule holds for this session only: ${messageOf(error)}`),
      ),
    mcp: { ...mcp, mcpServers: { ...mcp.mcpServers, ...options.mcpServers } },
    approveTools: (server, described) => trust.acceptsTools(`${server} in ${root}`, described),
    skills: loadedSkills,
    hooks,
    command,
    projectChanges: changes,
    agents: withoutMissing(
      shapeRoot([...checked.agents, ...projectAgents, ...shipped], rootAgent, options),
      missingTools(options, workspace),
    ),
    rootAgent,
    costMode,
    sessionState: beginState({
      sessionId: checked.sessionId,
      fileContext: { ...fileContext, fileTree: tree },
      known,
      extraToolResults,
    }),
  };
}

interface NamedCommand {
  readonly command: CustomCommand;
  readonly given: string;
}

/** Rejects where the command is the project's and has not been accepted. */
async function namedCommand(
  prompt: string,
  { root, home }: { root: string; home: string },
  trust: Trust,
  warn: (message: string) => void,
): Promise<NamedCommand | undefined> {
  const found = await findCommand(prompt, { cwd: root, home });
  if (found === undefined) return undefined;
  const { command, content, given, faults } = found;
  if (!(await isTrustedCommand(command, content, trust))) {
    const message = `${command.path}: this command has not been accepted yet; ${howToTrust}`;
    throw new ModelFailure("refused", message, { code: "untrusted_command" });
  }
  for (const fault of faults) warn(`${command.path}: ${fault}`);
  return { command, given };
}

function pickWays({ apiKey, baseUrl, provider }: RunExecutionOptions) {
  return { apiKey, baseUrl, provider };
}

function hasWay(ways: Ways): boolean {
  return usesBackend(ways) || ways.own.length > 0 || ways.subscriptions.length > 0;
}

/**
 * The server that counts the runs, or undefined when models are reached without one. Who the key belongs to is asked before
 * anything else happens in its name. Rejects where there is no way to a model at all.
 */
export async function findBackend(ways: Ways, signal: AbortSignal | undefined): Promise<Backend | undefined> {
  if (isUnknownProvider(ways)) throw new ModelFailure("refused", noWayMessage(ways), { code: "unknown_provider" });
  const code = ways.loginElsewhere === undefined ? "no_credentials" : "bad_credentials";
  if (!hasWay(ways)) throw new ModelFailure("auth", noWayMessage(ways), { code });
  if (!usesBackend(ways) || ways.credential === undefined) return undefined;
  const access = { baseUrl: ways.baseUrl, apiKey: ways.credential.apiKey };
  await getUserInfoFromApiKey(access, signal);
  return new Backend(access);
}

/** `validateAgents` of the original: what is wrong with which definition. */
export async function validateAgents(definitions: readonly unknown[]): Promise<{
  success: boolean;
  validationErrors: { id: string; message: string }[];
  errorCount: number;
}> {
  const { faults } = checkAgentDefinitions(
    definitions.map((one) =>
      z.looseObject({}).safeParse(one).success ? withoutSources([one as AgentDefinitionInput])[0] : one,
    ),
  );
  return {
    success: faults.length === 0,
    validationErrors: faults.map(({ id, message }) => ({ id, message })),
    errorCount: faults.length,
  };
}
