import {
  type AgentDefinition,
  AgentModeClientMessage,
  type AgentModeResult,
  type AgentModeRun,
  type AgentModeSelf,
  type AgentModeServerMessage,
  type AgentState,
  type FileContext,
  isToolName,
  type Message,
  toolSpec,
} from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";
import { cacheMarks } from "../context/cache-marks.ts";
import { fitContext } from "../context/fit-context.ts";
import { toolResultsTag } from "../context/shorten-results.ts";
import { addCosts, type Cost } from "../cost.ts";
import type { Ports } from "../ports.ts";
import { closingTag } from "../xml/call-reader.ts";
import { resultsXml } from "../xml/results.ts";
import { type Memory, memorySection } from "./memory.ts";
import { type AgentResponse, readResponse } from "./read-response.ts";
import { sortCalls } from "./sort-calls.ts";
import { agentModePrompt } from "./system-prompt.ts";

/** One client's agent: where its messages go and what it is allowed. */
export interface AgentModeSession {
  /** What is stored for this client; of it and the state a message brings, the higher revision wins. */
  readonly state: AgentState;
  /** Its tools and its model; calls are read as XML from the text. */
  readonly agent: AgentDefinition;
  readonly model?: string;
  readonly files?: FileContext;
  readonly memory?: Memory;
  readonly self?: AgentModeSelf;
  readonly limits?: Partial<AgentModeLimits>;
  /** A socket, or the command line's own loop. The transport adds session and number. */
  send(message: AgentModeServerMessage): void;
  /** Resolves when the other side has taken what was sent; the model is read on then. Without it nobody waits. */
  room?(): Promise<void>;
  readonly signal: AbortSignal;
}

interface AgentModeLimits {
  readonly maxOutputTokens: number;
  /** Some providers allow only four. */
  readonly stopSequences: number;
  readonly stallMs: number;
  /** Model steps in a row without a call for the client. */
  readonly stepsWithoutClient: number;
  readonly retriesOfEmpty: number;
}

const defaultLimits: AgentModeLimits = {
  maxOutputTokens: 32_000,
  stopSequences: 4,
  stallMs: 60_000,
  stepsWithoutClient: 25,
  retriesOfEmpty: 2,
};

type AgentModePorts = Omit<Ports, "tools" | "agents">;

/** One client message in; returns the new state when tools are wanted, the turn is over, or it failed. Never rejects. */
export async function handleAgentPrompt(
  action: unknown,
  session: AgentModeSession,
  ports: AgentModePorts,
): Promise<AgentState> {
  const checked = AgentModeClientMessage.safeParse(action);
  if (!checked.success) {
    session.send({ type: "agent_error", code: "bad_message", message: checked.error.message });
    return session.state;
  }
  const turn = new AgentTurn(newerState(session.state, checked.data.agentState), session, ports);
  try {
    if (await turn.accept(checked.data)) await turn.run();
  } catch (error) {
    turn.fail(codeOf(error) ?? "internal_error", messageOf(error));
  }
  return turn.state;
}

/** Neither a restart of the server nor one of the client loses the task: whoever knows more wins. */
export function newerState(stored: AgentState, sent: AgentState): AgentState {
  return sent.revision > stored.revision ? sent : stored;
}

class AgentTurn {
  state: AgentState;
  readonly #session: AgentModeSession;
  readonly #ports: AgentModePorts;
  readonly #limits: AgentModeLimits;

  constructor(state: AgentState, session: AgentModeSession, ports: AgentModePorts) {
    this.state = state;
    this.#session = session;
    this.#ports = ports;
    this.#limits = { ...defaultLimits, ...session.limits };
  }

  /** Takes the message into history. False: there is nothing to do, or the client has to answer first. */
  async accept(action: AgentModeClientMessage): Promise<boolean> {
    if (action.type === "agent_tool_response") return this.#acceptResults(action.toolResults);
    const begin = action.newTask === true || this.state.messageHistory.length === 0;
    if (begin) {
      this.#finishRun("cancelled");
      const files = action.fileContext ?? this.#session.files;
      const memory = action.memory ?? (await memorySection(this.#session.memory));
      const { agent } = this.#session;
      const self = action.self ?? this.#session.self;
      const system: Message = {
        role: "system",
        content: agentModePrompt({ toolNames: agent.toolNames, files, memory, self }),
      };
      this.#change({ messageHistory: [system], subgoals: {}, open: undefined });
    } else if (this.state.open !== undefined) this.#append(this.#openResults(action.toolResults ?? []));
    this.#append({ role: "user", content: [{ type: "text", text: action.task }], tags: ["USER_PROMPT"] });
    await this.#startRun();
    return true;
  }

  /** Model steps until a client has to run something or the turn is over. */
  async run(): Promise<void> {
    let empty = 0;
    for (let step = 0; step < this.#limits.stepsWithoutClient; step += 1) {
      const response = await this.#step();
      if (response === undefined) return;
      if (response.ending === "cancelled") return this.fail("cancelled", "The task was interrupted");
      if (typeof response.ending === "object") return this.fail(response.ending.code, response.ending.message);
      if (response.text.trim() === "") {
        empty += 1;
        if (empty > this.#limits.retriesOfEmpty) return this.fail("empty_answer", "The model gave no answer");
        continue;
      }
      empty = 0;
      if (this.#digest(response) === "stop") return;
    }
    this.fail("max_steps", `No tool was called in ${this.#limits.stepsWithoutClient} steps`);
  }

  fail(code: string, message: string): void {
    const { run } = this.state;
    this.#finishRun(code === "cancelled" ? "cancelled" : "failed", message);
    this.#sendState();
    this.#session.send({ type: "agent_error", code, message, run });
  }

  #acceptResults(results: readonly AgentModeResult[]): boolean {
    const { open } = this.state;
    const given = results.map(({ id }) => id).sort();
    const wanted = open?.calls.map(({ id }) => id).sort() ?? [];
    // An answer to something that is not open any more was sent twice.
    if (open === undefined || (given.length > 0 && !given.some((id) => wanted.includes(id)))) return false;
    if (given.join() !== wanted.join()) {
      const message = `Expected the results of ${wanted.join(", ")}, got ${given.join(", ") || "none"}`;
      this.#session.send({ type: "agent_error", code: "bad_tool_response", message });
      this.#session.send({ type: "agent_request_tool_execution", toolCalls: open.calls });
      return false;
    }
    this.#append(this.#openResults(results));
    return true;
  }

  /** All results of the last response as one message; a call nobody answered was interrupted. */
  #openResults(given: readonly AgentModeResult[]): Message {
    const { calls = [], results = [] } = this.state.open ?? {};
    const answered = calls.map(
      ({ id, name }): AgentModeResult =>
        given.find((one) => one.id === id) ?? {
          id,
          name,
          status: "interrupted",
          result: "Interrupted before it ended",
        },
    );
    this.#change({ open: undefined });
    return resultsMessage([...results, ...answered]);
  }

  async #step(): Promise<AgentResponse | undefined> {
    const { model, clock, ledger } = this.#ports;
    const { agent, signal, room } = this.#session;
    const modelId = this.#session.model ?? agent.model;
    if (!this.#fitHistory(modelId)) return undefined;
    const run = await this.#startRun();
    const startTime = clock.now();
    const request = {
      runId: run.id,
      agentId: "main-agent",
      ancestorRunIds: [],
      agent,
      model: modelId,
      messages: this.state.messageHistory,
      cacheAt: cacheMarks(this.state.messageHistory),
      tools: [],
      stop: this.#stopSequences(),
      maxTokens: this.#limits.maxOutputTokens,
    };
    const rules = { names: agent.toolNames, lastCalls: this.#lastCalls(), stallMs: this.#limits.stallMs };
    const response = await readResponse({ model, clock, request, signal, room }, rules, (chunk) =>
      this.#session.send({ type: "agent_response_chunk", chunk, step: run.steps }),
    );
    const { cost, messageId } = response;
    this.#change({ run: withCost({ ...run, steps: run.steps + 1 }, addCosts(costOfRun(run), cost)) });
    ledger.step(run.id, {
      stepNumber: run.steps + 1,
      cost,
      childRunIds: [],
      messageId,
      status: "completed",
      startTime,
    });
    return response;
  }

  /** Subgoals are kept here, the rest is the client's; without calls, or with end_turn, the turn is over. */
  #digest(response: AgentResponse): "stop" | "continue" {
    this.#append({ role: "assistant", content: [{ type: "text", text: response.text }] });
    const sorted = sortCalls(response.pieces, this.state.subgoals, () => this.#ports.clock.newId("call"));
    this.#change({ subgoals: sorted.subgoals });
    if (sorted.forClient.length > 0) {
      this.#change({ open: { calls: sorted.forClient, results: sorted.results } });
      this.#sendState();
      this.#session.send({ type: "agent_request_tool_execution", toolCalls: sorted.forClient });
      return "stop";
    }
    if (sorted.ended || (sorted.results.length === 0 && response.ending === "finished")) {
      this.#complete(shownText(response), sorted.ended);
      return "stop";
    }
    const cut: AgentModeResult[] = response.ending === "cut" ? [cutNote] : [];
    this.#append(resultsMessage([...sorted.results, ...cut]));
    return "continue";
  }

  #complete(response: string, ended: boolean): void {
    const { run } = this.state;
    this.#finishRun("completed");
    this.#sendState();
    this.#session.send({ type: "agent_turn_complete", response, ended, run });
  }

  #fitHistory(model: string): boolean {
    const [system, ...rest] = this.state.messageHistory;
    if (system === undefined || system.role !== "system") {
      this.fail("bad_state", "The history has no system prompt");
      return false;
    }
    const own = system.content.length / 3;
    const maxTokens = this.#ports.model.contextWindow(model) - this.#limits.maxOutputTokens - own;
    const fitted = fitContext(rest, { maxTokens, subgoals: this.state.subgoals, todos: [] });
    if (fitted.outcome === "overflow") {
      this.fail("context_overflow", "The task does not fit into the model's context");
      return false;
    }
    if (fitted.outcome !== "kept") this.#change({ messageHistory: [system, ...fitted.messages] });
    return true;
  }

  async #startRun() {
    const { agent, signal } = this.#session;
    if (this.state.run !== undefined) return this.state.run;
    const { runId } = await this.#ports.ledger.start({ agentType: agent.id, ancestorRunIds: [] }, signal);
    const run = { id: runId, steps: 0, millicredits: 0, costKnown: true };
    this.#change({ run });
    return run;
  }

  #finishRun(status: "completed" | "failed" | "cancelled", errorMessage?: string): void {
    const { run } = this.state;
    if (run === undefined) return;
    const cost = costOfRun(run);
    this.#ports.ledger.finish(run.id, { status, totalSteps: run.steps, direct: cost, total: cost, errorMessage });
    this.#change({ run: undefined });
  }

  #append(message: Message): void {
    this.#change({ messageHistory: [...this.state.messageHistory, message] });
  }

  #change(change: Partial<AgentState>): void {
    this.state = { ...this.state, ...change, revision: this.state.revision + 1 };
  }

  #sendState(): void {
    this.#session.send({ type: "agent_state", agentState: this.state });
  }

  /** The terminal's first: it is the one that must not be left out. */
  #stopSequences(): string[] {
    const names = [...this.#lastCalls()].sort((one, other) => rank(one) - rank(other));
    return names.slice(0, this.#limits.stopSequences).map(closingTag);
  }

  /** Calls whose result a model has to wait for, and the end. */
  #lastCalls(): string[] {
    return this.#session.agent.toolNames.filter(
      (name) => isToolName(name) && (toolSpec(name).clientSide || toolSpec(name).endsTurn === true),
    );
  }
}

const cutNote: AgentModeResult = {
  id: "-",
  name: "response",
  status: "interrupted",
  result: "Your response was cut off. Go on where it ended.",
};

/** What a run of agent mode has cost, as its state carries it. */
export function costOfRun({ millicredits, costKnown: known, costEstimated: estimated }: AgentModeRun): Cost {
  return { millicredits, known, estimated };
}

function withCost(run: AgentModeRun, { millicredits, known, estimated }: Cost): AgentModeRun {
  return { ...run, millicredits, costKnown: known, ...(estimated === true ? { costEstimated: true } : {}) };
}

function rank(name: string): number {
  return name === "run_terminal_command" ? 0 : 1;
}

function resultsMessage(results: readonly AgentModeResult[]): Message {
  return { role: "system", content: resultsXml(results), tags: [toolResultsTag] };
}

function shownText({ pieces }: AgentResponse): string {
  return pieces
    .flatMap((piece) => (piece.type === "text" ? [piece.text] : []))
    .join("")
    .trim();
}

function codeOf(error: unknown): string | undefined {
  const { code } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}
