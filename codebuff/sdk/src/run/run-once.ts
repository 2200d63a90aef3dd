import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  type AgentDefinition,
  AgentOutput,
  type FinishStatus,
  type ImagePart,
  type AgentOutput as Output,
  type PrintModeEvent,
  type RunState,
  type RuntimeAction,
  type SessionState,
  type TextPart,
  writeProjectChanges,
} from "@muster/codebuff-protocol";
import { type Cost, callMainPrompt, type Ports } from "@muster/codebuff-runtime";
import type { CommandVerdict, Spawn, Terminal, Workspace } from "@muster/codebuff-workspace";
import { messageOf, settlesWithin, untilAborted } from "@muster/core";
import { sendAgentTask } from "../agent-mode/send-agent-task.ts";
import { BackendLedger } from "../backend/backend-ledger.ts";
import { LocalLedger } from "../backend/local-ledger.ts";
import { expandCommand } from "../commands/expand-command.ts";
import type { BegunSessions } from "../hooks/begun-sessions.ts";
import { Hooks } from "../hooks/hooks.ts";
import { contextPart, hookPrompt } from "../hooks/prompt-hooks.ts";
import { turnHooks } from "../hooks/turn-hooks.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { withBudget } from "../model/budget.ts";
import { filePicker } from "../model/pick-files.ts";
import { resolveModel } from "../model/resolve-model.ts";
import { sdkModel } from "../model/sdk-model.ts";
import { asModelFailure, ModelFailure } from "../model-failure.ts";
import { SdkError } from "../sdk-error.ts";
import { sessionFile, sessionsFolder } from "../sessions/places.ts";
import type { KnownTrees } from "../setup/known-trees.ts";
import { type CheckedOptions, type PreparedRun, prepareRun, type RunExecutionOptions } from "../setup/prepare-run.ts";
import { openTerminal } from "../setup/run-terminal.ts";
import { Warnings } from "../setup/warnings.ts";
import type { StartupProcesses } from "../startup/startup-processes.ts";
import { networkTools } from "../tools/network-tools.ts";
import { SdkTools } from "../tools/sdk-tools.ts";
import { sdkAgentStore } from "./agent-store.ts";
import { systemClock } from "./system-clock.ts";

/** How long closing may hold up a run that was aborted. */
const closingMs = 100;

/** What the runs of a client share. */
export interface RunSurroundings {
  readonly workspace: Workspace;
  readonly mcp: McpServers;
  readonly startup?: StartupProcesses;
  /** Starts the terminal's commands in place of ours. */
  readonly spawn?: Spawn;
  readonly shipped: readonly AgentDefinition[];
  /** What the person has been told of broken agent files. */
  readonly told: Set<string>;
  /** The file lists conversations began with. */
  readonly trees: KnownTrees;
  /** Whose beginning hooks were told. */
  readonly sessions: BegunSessions;
  /** Takes what still has to be sent after the run. */
  readonly onLedger: (ledger: { drain(limitMs: number): Promise<void> }) => void;
}

/**
 * One prompt from identity to output, as its events; texts are pieces, an empty one ends a block. It works only while it
 * is read, and a reader that leaves aborts it. Returns the run's state: whatever happens at run time is an output.
 */
export async function* runOnce(
  given: RunExecutionOptions,
  checked: CheckedOptions,
  surroundings: RunSurroundings,
): AsyncGenerator<PrintModeEvent, RunState, void> {
  let options = given;
  const warnings = new Warnings(options.logger);
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  let prepared: PreparedRun;
  try {
    prepared = await untilAborted(prepareRun(options, checked, { ...surroundings, warnings }), signal);
    await takeCheckpoint(options, warnings);
    await surroundings.startup?.start(prepared.config.startupProcesses, (message) => warnings.add(message, "startup"));
  } catch (error) {
    if (error instanceof SdkError) throw error;
    return yield* refuse(error, { warnings, checked, signal });
  }
  const stopped = new AbortController();
  const running = AbortSignal.any([signal, stopped.signal]);
  const stop = (reason: string) => {
    warnings.add(`A hook ends the run: ${reason}`, "hooks");
    stopped.abort();
  };
  const named = prepared.command;
  if (named?.command.model !== undefined) options = { ...options, model: options.model ?? named.command.model };
  const { ports, hooks, judge, close } = openPorts(options, checked, {
    prepared,
    warnings,
    surroundings,
    signal: running,
    stop,
  });
  const beginSession = () =>
    surroundings.sessions.begin(checked.sessionId, {
      hasHistory: prepared.sessionState.mainAgentState.messageHistory.length > 0,
      tellEnd: (reason) => hooks.fire("SessionEnd", { reason }, [reason]),
    });
  const source = options.hooks === true ? beginSession() : undefined;
  const hooked = await hookPrompt(hooks, { prompt: options.prompt ?? "", source });
  if (hooked.block !== undefined) {
    await close();
    return yield* refuse(blockedByHook(hooked.block), { warnings, checked, signal });
  }
  if (named !== undefined) {
    const { root } = surroundings.workspace.project;
    const place = { cwd: root, env: { ...checked.env, ...options.env }, signal: running };
    options = { ...options, prompt: await expandCommand({ ...named, ...place, judge }) };
  }
  const { projectChanges: changes } = prepared;
  if (changes.length > 0 && options.agentMode === undefined)
    options = {
      ...options,
      content: [...(options.content ?? []), { type: "text", text: writeProjectChanges(changes) }],
    };
  const send = options.agentMode === undefined ? sendPrompt : sendAgentTask;
  const actions = send(withContext(options, hooked.context), { prepared, checked, ports, warnings, signal: running });
  let end: PromptEnd | undefined;
  let hasStarted = false;
  try {
    for (let next = await actions.next(); !next.done; next = await actions.next()) {
      const { value: action } = next;
      switch (action.type) {
        case "response-chunk":
          if (typeof action.chunk !== "string" && action.chunk.type === "finish") prepared.tellLaterPrograms();
          if (hasStarted) yield* warnings.take();
          yield typeof action.chunk === "string" ? { type: "text", text: action.chunk } : action.chunk;
          if (!hasStarted) yield* warnings.take();
          hasStarted = true;
          break;
        case "subagent-response-chunk":
          yield { type: "text", text: action.chunk, agentId: action.agentId };
          break;
        case "prompt-response":
        case "prompt-error":
          end = endOf(action);
      }
    }
  } finally {
    if (end === undefined) end = await stopRun(actions, leaving);
    await options.session?.endRun(end.status, end.sessionState ?? prepared.sessionState).catch((error: unknown) => {
      warnings.add(`The session file cannot be written: ${String(error)}`, "session_file");
    });
    const closing = close();
    if (!signal.aborted) await closing;
    else await settlesWithin(closing, closingMs);
  }
  if (hasStarted) yield* warnings.take();
  return { sessionState: end.sessionState ?? prepared.sessionState, output: end.output };
}

/** Nobody reads any more: the run is aborted, and how it ended is kept all the same. */
async function stopRun(actions: AsyncGenerator<RuntimeAction>, leaving: AbortController): Promise<PromptEnd> {
  leaving.abort();
  let end: PromptEnd | undefined;
  for await (const action of actions) {
    if (action.type === "prompt-response" || action.type === "prompt-error") end = endOf(action);
  }
  const output = { type: "error" as const, message: "The run had no end", error: "run_failed" };
  return end ?? { output, status: "failed", sessionState: undefined };
}

/** No snapshot is no reason not to work: the person is told. */
async function takeCheckpoint(options: RunExecutionOptions, warnings: Warnings): Promise<void> {
  await options.snapshots?.checkpoint(titleOf(options)).catch((error: unknown) => {
    warnings.add(`There is no snapshot of this moment: ${String(error)}`, "snapshot");
  });
}

/** Beside the prompt, so that nothing before it in the request changes. */
function withContext(options: RunExecutionOptions, context: readonly string[]): RunExecutionOptions {
  if (context.length === 0) return options;
  return { ...options, content: [...(options.content ?? []), contextPart(context)] };
}

function blockedByHook(reason: string): ModelFailure {
  return new ModelFailure("refused", `A hook does not let this prompt pass: ${reason}`, { code: "blocked_by_hook" });
}

interface RunParts {
  readonly prepared: PreparedRun;
  readonly warnings: Warnings;
  readonly surroundings: RunSurroundings;
  readonly signal: AbortSignal;
  /** A hook wants the run to end. */
  readonly stop: (reason: string) => void;
}

/** The six ports of the runtime, and how what they hold is given back. */
function openPorts(
  options: RunExecutionOptions,
  checked: CheckedOptions,
  parts: RunParts,
): { ports: Ports; hooks: Hooks; judge: (command: string) => Promise<CommandVerdict>; close(): Promise<void> } {
  const { prepared, warnings, surroundings, signal, stop } = parts;
  const { ways, backend, config, mcp, skills, rootAgent, agents } = prepared;
  const log = {
    async write(entry: Parameters<Ports["log"]["write"]>[0]) {
      if (options.session === undefined) return;
      // The reader, who has just been told what came before, may have a note of it to write first.
      await setImmediate();
      await options.session.journal(entry);
    },
    warn: (message: string) => options.logger?.warn({}, message),
  };
  const ledger = backend === undefined ? new LocalLedger() : new BackendLedger(backend, log.warn);
  surroundings.onLedger(ledger);
  const costMode = options.mode === undefined ? (prepared.costMode ?? "normal") : checked.mode.billedAs;
  const model = sdkModel({ ways, clientId: checked.sessionId, costMode, clock: systemClock, backend });
  const modelFor = (wanted: string) => resolveModel(ways, wanted);
  const terminal = openTerminal(options, surroundings.workspace, surroundings.spawn);
  const { workspace } = surroundings;
  const live = options.live ?? { writes: checked.mode.writes, permissions: options.permissions ?? "unattended" };
  const hands = { ...handsOptions(options, { terminal: terminal.terminal, prepared, checked, warnings }), live };
  // Of nobody's call: what would have to be asked is denied.
  const gate = () => workspace.beginRun({ ...hands, runId: "hooks", agentId: "hooks" }).gate;
  const hooks = new Hooks({
    hooks: prepared.hooks,
    root: workspace.project.root,
    sessionId: checked.sessionId,
    transcript: options.session && sessionFile(sessionsFolder(checked.home, checked.root), checked.sessionId),
    env: { ...checked.env, ...options.env },
    signal,
    mode: () => live,
    confine: (command) => gate().hook(command),
    warn: (message) => warnings.add(message, "hooks"),
    stop,
  });
  const tools = new SdkTools({
    workspace,
    hands,
    hooks,
    terminalHandlers: terminal.handlers,
    customTools: options.customToolDefinitions ?? [],
    overrideTools: options.overrideTools ?? {},
    fileFilter: options.fileFilter,
    mcp: surroundings.mcp,
    mcpServers: mcp.mcpServers,
    approveTools: prepared.approveTools,
    rootAgent,
    network: networkTools(backend),
    skills,
    ask: options.ask,
    resumeIn: options.session?.takeLastDirectory(),
    pickFiles: (runId: string, onCost: (cost: Cost) => void) =>
      filePicker(model, { runId, wanted: modelFor("google/gemini-2.5-flash"), onCost }),
    settle: async (settlement) => {
      await options.snapshots?.settle(settlement).catch((error: unknown) => {
        warnings.add(`Undo cannot tell whose the last changes were: ${messageOf(error)}`, "snapshot");
      });
    },
    warn: (message) => warnings.add(message, "tools"),
  });
  const store = sdkAgentStore({ local: withHelpers(agents, rootAgent, config.spawnableAgents), backend, modelFor });
  return {
    ports: withBudget(
      { model, tools, clock: systemClock, ledger, agents: store, log, turns: turnHooks(hooks) },
      options.budgetUsd,
    ),
    hooks,
    judge: (command) => gate().command(command),
    close: async () => {
      await hooks.settled();
      await tools.end();
      await terminal.close();
    },
  };
}

function handsOptions(
  options: RunExecutionOptions,
  {
    terminal,
    prepared: { config, rules: written, remember },
    checked,
    warnings,
  }: { terminal?: Terminal; prepared: PreparedRun; checked: CheckedOptions; warnings: Warnings },
) {
  const { permissions, rules = [], granted, live } = options;
  return {
    terminal,
    permissions,
    granted,
    live,
    remember,
    home: checked.home,
    // With a filter the embedding program owns what may be read; secrets are then its decision too.
    rules: [
      ...(options.fileFilter === undefined ? [] : [{ effect: "allow" as const, tool: "read_files", path: "**" }]),
      ...written,
      ...rules,
    ],
    agentMode: options.agentMode !== undefined,
    writes: checked.mode.writes,
    hooks: hooksOf(config, terminal, warnings),
  };
}

/** Hooks are commands on the disk: where there is no terminal there, the person is told that they do not run. */
function hooksOf(
  { fileChangeHooks: hooks }: PreparedRun["config"],
  terminal: Terminal | undefined,
  warnings: Warnings,
) {
  if (terminal !== undefined || hooks.length === 0) return hooks;
  warnings.add("The fileChangeHooks of this project do not run: this run has no terminal of its own", "hooks");
  return [];
}

/** The project may say which helpers its root agent has. */
function withHelpers(
  agents: readonly AgentDefinition[],
  root: string,
  helpers: readonly string[] | undefined,
): readonly AgentDefinition[] {
  if (helpers === undefined) return agents;
  return agents.map((agent) => {
    if (agent.id !== root) return agent;
    const toolNames = [...new Set([...agent.toolNames, "spawn_agents"])];
    return { ...agent, spawnableAgents: [...helpers], toolNames };
  });
}

interface PromptEnd {
  readonly output: Output;
  readonly status: FinishStatus;
  readonly sessionState: SessionState | undefined;
}

/** The main prompt, once the session file knows of it. A throw of ours becomes the last action. */
async function* sendPrompt(
  options: RunExecutionOptions,
  { prepared, ports, signal }: { prepared: PreparedRun; ports: Ports; signal: AbortSignal },
): AsyncGenerator<RuntimeAction, void, void> {
  const { sessionState, rootAgent, ways, config } = prepared;
  const { params, messageId, session, steering: inbox, appendSystemPrompt } = options;
  const model = options.model === undefined ? undefined : resolveModel(ways, options.model);
  const maxSteps = options.maxAgentSteps ?? config.maxAgentSteps ?? options.limits?.maxSteps ?? 100;
  const prompt = {
    sessionState,
    content: contentOf(options),
    params,
    agent: rootAgent,
    model,
    appendSystemPrompt,
    limits: { ...options.limits, maxSteps },
    inbox,
    messageId: messageId ?? (session === undefined ? undefined : randomUUID()),
  };
  try {
    const { messageHistory: messages } = sessionState.mainAgentState;
    await session?.beginRun({ agent: rootAgent, model, messages, messageId });
    yield* callMainPrompt(prompt, ports, signal);
  } catch (error) {
    yield { type: "prompt-error", message: messageOf(error), error: "run_failed", status: "failed" };
  }
}

/** How a run ended. An output that does not fit the schema is an error output, never a throw. */
function endOf(action: Extract<RuntimeAction, { type: "prompt-response" | "prompt-error" }>): PromptEnd {
  const { status, sessionState } = action;
  if (action.type === "prompt-error") {
    const { message, error, statusCode } = action;
    return { output: { type: "error", message, error, statusCode }, status, sessionState };
  }
  const checked = AgentOutput.safeParse(action.output);
  if (checked.success) return { output: checked.data, status, sessionState };
  const message = "The agent's output does not have the form of an output";
  return { output: { type: "error", message, error: "invalid_output" }, status: "failed", sessionState };
}

/**
 * The run could not begin. Without credentials there is no run at all; any other reason is told as a run that failed, an
 * abort as one that was cancelled.
 */
function* refuse(
  error: unknown,
  { warnings, checked, signal }: { warnings: Warnings; checked: CheckedOptions; signal: AbortSignal },
): Generator<PrintModeEvent, RunState, void> {
  const sessionState = checked.previousRun?.sessionState;
  if (signal.aborted) {
    yield* emptyRun(checked, "cancelled", warnings.take());
    return { sessionState, output: { type: "error", message: "Run cancelled by user", error: "cancelled" } };
  }
  const { kind, message, code = "run_failed", statusCode } = asModelFailure(error, Date.now());
  const fatal: PrintModeEvent = { type: "error", message, code, statusCode, fatal: true };
  if (kind === "auth") yield fatal;
  else yield* emptyRun(checked, "failed", [...warnings.take(), fatal]);
  return { sessionState, output: { type: "error", message, error: code, statusCode } };
}

/** The first and the last event of a run in which nothing happened, and why. */
function* emptyRun(
  { sessionId, agent: agentId = rootAgentOfNobody, previousRun }: CheckedOptions,
  status: FinishStatus,
  reasons: readonly PrintModeEvent[],
): Generator<PrintModeEvent, void, void> {
  const messageHistoryLength = previousRun?.sessionState?.mainAgentState.messageHistory.length ?? 0;
  yield { type: "start", sessionId, agentId, model: "unknown", messageHistoryLength };
  yield* reasons;
  yield { type: "finish", sessionId, agentId, totalCost: 0, totalCostUsd: 0, status };
}

const rootAgentOfNobody = "base2";

function contentOf({ prompt, content = [] }: RunExecutionOptions): (TextPart | ImagePart)[] {
  const text: TextPart[] = prompt === undefined || prompt === "" ? [] : [{ type: "text", text: prompt }];
  return [...text, ...content];
}

function titleOf({ prompt = "" }: RunExecutionOptions): string {
  return prompt.replace(/\s+/g, " ").trim().slice(0, 80) || "prompt";
}
