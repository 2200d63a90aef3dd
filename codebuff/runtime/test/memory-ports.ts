import {
  AgentDefinition,
  type AgentDefinitionInput,
  emptyRunAgentState,
  errorOutput,
  type FileContext,
  historyFaults,
  type Message,
  type PrintModeEvent,
  type RuntimeAction,
  type SessionState,
  type ToolDefinition,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import {
  type Cost,
  callMainPrompt,
  type Entry,
  type FoundAgent,
  type MainPrompt,
  type MarkedCall,
  type Ports,
  type RunEnd,
  type Scope,
  type StepRecord,
} from "../src/index.ts";
import { type Script, ScriptedModel, type ScriptedOptions } from "./scripted-model.ts";
import { VirtualClock } from "./virtual-clock.ts";

export type ToolAct = (
  input: MarkedCall["input"],
  context: { call: MarkedCall; scope: Scope; clock: VirtualClock; progress: (output: string) => void },
) => ToolOutput | Promise<ToolOutput>;

export interface WorldOptions extends Partial<Omit<ScriptedOptions, "clock">> {
  readonly script: Script;
  readonly agents?: readonly (AgentDefinitionInput | FoundAgent)[];
  readonly tools?: Readonly<Record<string, ToolAct>>;
  readonly definitions?: readonly ToolDefinition[];
  readonly toolCosts?: Readonly<Record<string, Cost>>;
  readonly startFails?: Error;
  readonly startTakes?: number;
  /** Each line of the ledger is told as a `download` with its place as version: so it stands in its order among the actions. */
  readonly tellsLedger?: boolean;
}

export interface World {
  readonly clock: VirtualClock;
  readonly model: ScriptedModel;
  readonly ports: Ports;
  readonly journal: Entry[];
  readonly warnings: string[];
  readonly ended: string[];
  /** What the ledger was told, in order. */
  readonly ledger: LedgerLine[];
}

export type LedgerLine =
  | { readonly action: "START"; readonly agentId: string; readonly ancestorRunIds: readonly string[] }
  | ({ readonly action: "STEP"; readonly runId: string } & StepRecord)
  | ({ readonly action: "FINISH"; readonly runId: string } & RunEnd);

export const json = (value: unknown): ToolOutput => [{ type: "json", value: value as never }];

/** An agent with everything it must have. */
export function agent(more: Partial<AgentDefinitionInput> = {}): AgentDefinitionInput {
  return {
    id: "my-agent",
    displayName: "My Agent",
    model: "anthropic/claude-sonnet-4",
    systemPrompt: "You are a test agent.",
    instructionsPrompt: "Do what is asked.",
    toolNames: ["read_files", "write_file", "run_terminal_command", "end_turn"],
    ...more,
  };
}

/** Ports in memory: a scripted model, tools that are functions, a clock that is moved by hand. */
export function openWorld(options: WorldOptions): World {
  const clock = new VirtualClock();
  const model = new ScriptedModel(options.script, { ...options, clock });
  const journal: Entry[] = [];
  const warnings: string[] = [];
  const ended: string[] = [];
  const ledger: LedgerLine[] = [];
  let tell: (event: PrintModeEvent) => unknown = () => undefined;
  const record = (line: LedgerLine) => {
    ledger.push(line);
    if (options.tellsLedger) tell({ type: "download", version: String(ledger.length - 1), status: "complete" });
  };
  const agents = new Map((options.agents ?? [agent()]).map((one) => found(one)).map((one) => [one.definition.id, one]));
  let runs = 0;
  const ports: Ports = {
    model,
    clock,
    tools: {
      definitions: async () => options.definitions ?? [],
      run: (calls, scope, progress) =>
        Promise.all(
          calls.map(async (call) => {
            const { toolCallId, toolName, input } = call;
            const act = options.tools?.[toolName];
            const say = (output: string) => progress(call, output);
            const output = await (act?.(input, { call, scope, clock, progress: say }) ?? errorOutput(`no ${toolName}`));
            return { toolCallId, toolName, output, cost: options.toolCosts?.[toolName] };
          }),
        ),
      tellTo: (to) => {
        tell = to;
      },
      endAgent: ({ agentId }) => ended.push(agentId),
    },
    ledger: {
      async start({ agentType, ancestorRunIds }, signal) {
        record({ action: "START", agentId: agentType, ancestorRunIds });
        if (options.startTakes !== undefined) await clock.sleep(options.startTakes, signal);
        if (options.startFails !== undefined) throw options.startFails;
        return { runId: `run-${++runs}` };
      },
      step: (runId, step) => record({ action: "STEP", runId, ...step }),
      finish: (runId, end) => record({ action: "FINISH", runId, ...end }),
    },
    agents: {
      async find(id) {
        return agents.get(id) ?? { available: [...agents.keys()] };
      },
    },
    log: { write: async (entry) => void journal.push(entry), warn: (message) => void warnings.push(message) },
  };
  return { clock, model, ports, journal, warnings, ended, ledger };
}

function found(one: AgentDefinitionInput | FoundAgent): FoundAgent {
  return "definition" in one ? one : { definition: AgentDefinition.parse(one), origin: "local" };
}

const files: FileContext = { projectRoot: "/workspace", cwd: "/workspace", fileTree: [], knowledgeFiles: {} };

export function session(messages: readonly Message[] = [], more: Partial<FileContext> = {}): SessionState {
  const mainAgentState = { ...emptyRunAgentState("my-agent"), messageHistory: [...messages] };
  return { sessionId: "session-1", fileContext: { ...files, ...more }, mainAgentState };
}

export interface RunResult {
  readonly actions: RuntimeAction[];
  readonly events: PrintModeEvent[];
  readonly chunks: (string | { agentId: string; chunk: string })[];
  readonly last: Extract<RuntimeAction, { type: "prompt-response" | "prompt-error" }>;
  readonly history: readonly Message[];
}

/** Runs one prompt to its end in virtual time. */
export async function runPrompt(
  world: World,
  prompt: Partial<MainPrompt> = {},
  signal: AbortSignal = new AbortController().signal,
  onAction: (action: RuntimeAction) => void = () => undefined,
): Promise<RunResult> {
  const actions: RuntimeAction[] = [];
  const whole: MainPrompt = {
    sessionState: session(),
    content: [{ type: "text", text: "hello" }],
    agent: "my-agent",
    ...prompt,
  };
  const wholeBlocks = blockReader();
  const read = async () => {
    for await (const sent of callMainPrompt(whole, world.ports, signal)) {
      const action = wholeBlocks(sent);
      actions.push(action);
      onAction(action);
    }
  };
  await world.clock.run(read());
  const last = actions.at(-1);
  if (last?.type !== "prompt-response" && last?.type !== "prompt-error") throw new Error("The run had no last word");
  const events: PrintModeEvent[] = [];
  const chunks: RunResult["chunks"] = [];
  for (const action of actions) {
    if (action.type === "subagent-response-chunk") chunks.push({ agentId: action.agentId, chunk: action.chunk });
    if (action.type !== "response-chunk") continue;
    if (typeof action.chunk === "string") chunks.push(action.chunk);
    else events.push(action.chunk);
  }
  return { actions, events, chunks, last, history: last.sessionState?.mainAgentState.messageHistory ?? [] };
}

/** Puts the whole block of text, as an event, in the place of the empty piece that ends it. */
function blockReader(): (action: RuntimeAction) => RuntimeAction {
  const blocks = new Map<string | undefined, string>();
  return (action) => {
    if (action.type !== "subagent-response-chunk" && action.type !== "response-chunk") return action;
    const { chunk } = action;
    if (typeof chunk !== "string") return action;
    const agentId = action.type === "response-chunk" ? undefined : action.agentId;
    const text = (blocks.get(agentId) ?? "") + chunk;
    blocks.set(agentId, chunk === "" ? "" : text);
    if (chunk !== "") return action;
    return { type: "response-chunk", chunk: { type: "text", text, ...(agentId === undefined ? {} : { agentId }) } };
  };
}

/** What must hold of every run, whatever happened in it. */
export function runFaults({ events, actions, history }: RunResult, world: World): string[] {
  const faults: string[] = [];
  const say = (isFault: boolean, text: string) => void (isFault && faults.push(text));
  const count = (type: string) => events.filter((event) => event.type === type).length;
  say(events[0]?.type !== "start" || count("start") !== 1, "start is not the first event, once");
  say(events.at(-1)?.type !== "finish" || count("finish") !== 1, "finish is not the last event, once");
  const last = actions.filter(({ type }) => type === "prompt-response" || type === "prompt-error");
  say(last.length !== 1 || actions.at(-1) !== last[0], "the last word was not said once");
  const open = new Set<string>();
  const children = new Set<string>();
  for (const event of events) {
    if (event.type === "tool_call") open.add(event.toolCallId);
    if (event.type === "tool_progress") say(!open.has(event.toolCallId), `progress without call ${event.toolCallId}`);
    if (event.type === "tool_result") say(!open.delete(event.toolCallId), `result without call ${event.toolCallId}`);
    if (event.type === "subagent_start") children.add(event.agentId);
    if (event.type === "subagent_finish") say(!children.delete(event.agentId), `finish without start ${event.agentId}`);
  }
  for (const id of open) faults.push(`call without result ${id}`);
  for (const id of children) faults.push(`child without finish ${id}`);
  faults.push(...historyFaults(history).map(({ code, subject }) => `history: ${code} ${subject}`));
  for (const request of world.model.requests) {
    faults.push(...historyFaults(request.messages).map(({ code, subject }) => `request: ${code} ${subject}`));
  }
  const starts = world.ledger.filter(({ action }) => action === "START").length;
  const finishes = world.ledger.filter(({ action }) => action === "FINISH").length;
  say(finishes > starts, "more runs finished than started");
  say(world.clock.sleeping > 0, "a timer is left");
  return faults;
}
