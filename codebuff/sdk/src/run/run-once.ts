import { randomUUID } from "node:crypto";
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
} from "@muster/codebuff-protocol";
import { type Cost, callMainPrompt, type Ports } from "@muster/codebuff-runtime";
import type { Spawn, Terminal, Workspace } from "@muster/codebuff-workspace";
import { messageOf, settlesWithin, untilAborted } from "@muster/core";
import { sendAgentTask } from "../agent-mode/send-agent-task.ts";
import { BackendLedger } from "../backend/backend-ledger.ts";
import { LocalLedger } from "../backend/local-ledger.ts";
import type { McpServers } from "../mcp/mcp-servers.ts";
import { withBudget } from "../model/budget.ts";
import { filePicker } from "../model/pick-files.ts";
import { resolveModel } from "../model/resolve-model.ts";
import { sdkModel } from "../model/sdk-model.ts";
import { asModelFailure } from "../model-failure.ts";
import { SdkError } from "../sdk-error.ts";
import { EventSink } from "../setup/event-sink.ts";
import { type CheckedOptions, type PreparedRun, prepareRun, type RunExecutionOptions } from "../setup/prepare-run.ts";
import { openTerminal } from "../setup/run-terminal.ts";
import type { StartupProcesses } from "../startup/startup-processes.ts";
import { permissionAsker } from "../tools/asking.ts";
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
  /** Takes what still has to be sent after the run. */
  readonly onLedger: (ledger: { drain(limitMs: number): Promise<void> }) => void;
}

/** One prompt from identity to output. Resolves exactly once; whatever happens at run time is an output. */
export async function runOnce(
  options: RunExecutionOptions,
  checked: CheckedOptions,
  surroundings: RunSurroundings,
): Promise<RunState> {
  const events = new EventSink(options);
  const signal = options.signal ?? new AbortController().signal;
  let prepared: PreparedRun;
  try {
    prepared = await untilAborted(prepareRun(options, checked, { ...surroundings, events }), signal);
    await takeCheckpoint(options, events);
    await surroundings.startup?.start(prepared.config.startupProcesses, (message) => events.warn(message, "startup"));
  } catch (error) {
    if (error instanceof SdkError) throw error;
    return refuse(error, { events, checked, signal });
  }
  const opened = openPorts(options, checked, { prepared, events, signal, surroundings });
  const send = options.agentMode === undefined ? sendPrompt : sendAgentTask;
  const end = await send(options, { prepared, checked, ports: opened.ports, events, signal });
  await options.session?.endRun(end.status, end.sessionState ?? prepared.sessionState).catch((error: unknown) => {
    events.warn(`The session file cannot be written: ${String(error)}`, "session_file");
  });
  const closing = opened.close();
  if (!signal.aborted) await closing;
  else await settlesWithin(closing, closingMs);
  return { sessionState: end.sessionState ?? prepared.sessionState, output: end.output };
}

/** No snapshot is no reason not to work: the person is told. */
async function takeCheckpoint(options: RunExecutionOptions, events: EventSink): Promise<void> {
  await options.snapshots?.checkpoint(titleOf(options)).catch((error: unknown) => {
    events.warn(`There is no snapshot of this moment: ${String(error)}`, "snapshot");
  });
}

interface RunParts {
  readonly prepared: PreparedRun;
  readonly events: EventSink;
  readonly signal: AbortSignal;
  readonly surroundings: RunSurroundings;
}

/** The six ports of the runtime, and how what they hold is given back. */
function openPorts(
  options: RunExecutionOptions,
  checked: CheckedOptions,
  parts: RunParts,
): { ports: Ports; close(): Promise<void> } {
  const { prepared, events, surroundings } = parts;
  const { ways, backend, config, mcp, skills, rootAgent, agents } = prepared;
  const log = {
    write: async (entry: Parameters<Ports["log"]["write"]>[0]) => options.session?.journal(entry),
    warn: (message: string) => options.logger?.warn({}, message),
  };
  const ledger = backend === undefined ? new LocalLedger() : new BackendLedger(backend, log.warn);
  surroundings.onLedger(ledger);
  const costMode = options.mode === undefined ? (prepared.costMode ?? "normal") : checked.mode.billedAs;
  const model = sdkModel({ ways, clientId: checked.sessionId, costMode, clock: systemClock, backend });
  const modelFor = (wanted: string) => resolveModel(ways, wanted);
  const terminal = openTerminal(options, surroundings.workspace, surroundings.spawn);
  const tools = new SdkTools({
    workspace: surroundings.workspace,
    hands: handsOptions(options, { terminal: terminal.terminal, config, checked, events }),
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
    onEdits: async () => options.snapshots?.settle(),
    warn: (message) => events.warn(message, "tools"),
  });
  const store = sdkAgentStore({ local: withHelpers(agents, rootAgent, config.spawnableAgents), backend, modelFor });
  return {
    ports: withBudget({ model, tools, clock: systemClock, ledger, agents: store, log }, options.budgetUsd),
    close: async () => {
      await tools.end();
      await terminal.close();
    },
  };
}

function handsOptions(
  options: RunExecutionOptions,
  {
    terminal,
    config,
    checked,
    events,
  }: { terminal?: Terminal; config: PreparedRun["config"]; checked: CheckedOptions; events: EventSink },
) {
  const { ask, permissions, rules = [], granted } = options;
  return {
    terminal,
    permissions,
    granted,
    home: checked.home,
    // With a filter the embedding program owns what may be read; secrets are then its decision too.
    rules: [
      ...(options.fileFilter === undefined ? [] : [{ effect: "allow" as const, tool: "read_files", path: "**" }]),
      ...(config.permissions?.rules ?? []),
      ...rules,
    ],
    agentMode: options.agentMode !== undefined,
    writes: checked.mode.writes,
    hooks: hooksOf(config, terminal, events),
    ask: ask === undefined ? undefined : permissionAsker(ask, (event) => events.event(event)),
  };
}

/** Hooks are commands on the disk: where there is no terminal there, the person is told that they do not run. */
function hooksOf({ fileChangeHooks: hooks }: PreparedRun["config"], terminal: Terminal | undefined, events: EventSink) {
  if (terminal !== undefined || hooks.length === 0) return hooks;
  events.warn("The fileChangeHooks of this project do not run: this run has no terminal of its own", "hooks");
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

/** Starts the main prompt without waiting for it; its last action settles the promise. */
function sendPrompt(
  options: RunExecutionOptions,
  { prepared, ports, events, signal }: { prepared: PreparedRun; ports: Ports; events: EventSink; signal: AbortSignal },
): Promise<PromptEnd> {
  const { sessionState, rootAgent, ways, config } = prepared;
  const { params, messageId, session, steering: inbox, appendSystemPrompt } = options;
  return new Promise((settle) => {
    const handlers = actionHandlers(events, settle);
    const prompt = {
      sessionState,
      content: contentOf(options),
      params,
      agent: rootAgent,
      model: options.model === undefined ? undefined : resolveModel(ways, options.model),
      appendSystemPrompt,
      limits: {
        ...options.limits,
        maxSteps: options.maxAgentSteps ?? config.maxAgentSteps ?? options.limits?.maxSteps ?? 100,
      },
      inbox,
      messageId: messageId ?? (session === undefined ? undefined : randomUUID()),
    };
    const { messageHistory } = sessionState.mainAgentState;
    const begun = session?.beginRun({ agent: rootAgent, model: prompt.model, messages: messageHistory, messageId });
    Promise.resolve(begun)
      .then(() => callMainPrompt(prompt, ports, (action) => handlers[action.type](action as never), signal))
      .catch((error: unknown) => {
        const message = messageOf(error);
        handlers["prompt-error"]({ type: "prompt-error", message, error: "run_failed", status: "failed" });
      });
  });
}

type Handlers = { [Type in RuntimeAction["type"]]: (action: Extract<RuntimeAction, { type: Type }>) => void };

/** What is done with each action of the runtime. */
function actionHandlers(events: EventSink, settle: (end: PromptEnd) => void): Handlers {
  return {
    "response-chunk": (action) => events.responseChunk(action),
    "subagent-response-chunk": (action) => events.subagentResponseChunk(action),
    "prompt-response": (action) => settle(handlePromptResponse(action)),
    "prompt-error": ({ message, error, statusCode, status, sessionState }) =>
      settle({ output: { type: "error", message, error, statusCode }, status, sessionState }),
  };
}

/** An output that does not fit the schema is an error output, never a throw. */
function handlePromptResponse({
  output,
  status,
  sessionState,
}: Extract<RuntimeAction, { type: "prompt-response" }>): PromptEnd {
  const checked = AgentOutput.safeParse(output);
  if (checked.success) return { output: checked.data, status, sessionState };
  const message = "The agent's output does not have the form of an output";
  return { output: { type: "error", message, error: "invalid_output" }, status: "failed", sessionState };
}

/**
 * The run could not begin. Without credentials there is no run at all; any other reason is told as a run that failed, an
 * abort as one that was cancelled.
 */
function refuse(
  error: unknown,
  { events, checked, signal }: { events: EventSink; checked: CheckedOptions; signal: AbortSignal },
): RunState {
  const sessionState = checked.previousRun?.sessionState;
  if (signal.aborted) {
    tellEmptyRun(events, checked, "cancelled");
    return { sessionState, output: { type: "error", message: "Run cancelled by user", error: "cancelled" } };
  }
  const { kind, message, code = "run_failed", statusCode } = asModelFailure(error, Date.now());
  const fatal: PrintModeEvent = { type: "error", message, code, statusCode, fatal: true };
  if (kind === "auth") events.event(fatal);
  else tellEmptyRun(events, checked, "failed", fatal);
  return { sessionState, output: { type: "error", message, error: code, statusCode } };
}

/** The first and the last event of a run in which nothing happened, and why. */
function tellEmptyRun(
  events: EventSink,
  { sessionId, agent: agentId = rootAgentOfNobody, previousRun }: CheckedOptions,
  status: FinishStatus,
  reason?: PrintModeEvent,
): void {
  const messageHistoryLength = previousRun?.sessionState?.mainAgentState.messageHistory.length ?? 0;
  events.event({ type: "start", sessionId, agentId, model: "unknown", messageHistoryLength });
  if (reason !== undefined) events.event(reason);
  events.event({ type: "finish", sessionId, agentId, totalCost: 0, totalCostUsd: 0, status });
}

const rootAgentOfNobody = "base2";

function contentOf({ prompt, content = [] }: RunExecutionOptions): (TextPart | ImagePart)[] {
  const text: TextPart[] = prompt === undefined || prompt === "" ? [] : [{ type: "text", text: prompt }];
  return [...text, ...content];
}

function titleOf({ prompt = "" }: RunExecutionOptions): string {
  return prompt.replace(/\s+/g, " ").trim().slice(0, 80) || "prompt";
}
