import { agentModeManager } from "@muster/codebuff-agents";
import {
  type AgentModeCall,
  type AgentModeResult,
  type AgentOutput,
  type AgentState,
  emptyAgentState,
  errorOutput,
  type FinishStatus,
  interruptedMessage,
  type Message,
  type RuntimeAction,
  rootAgentName,
  type SessionState,
} from "@muster/codebuff-protocol";
import {
  ActionStream,
  type AgentTask,
  type AgentTaskEnd,
  agentModeResult,
  costOfRun,
  dollarsOf,
  type Ports,
  runAgentTask,
} from "@muster/codebuff-runtime";
import { overBudget } from "../model/budget.ts";
import { resolveModel } from "../model/resolve-model.ts";
import { usesBackend, type Ways } from "../model/ways.ts";
import { asModelFailure } from "../model-failure.ts";
import type { AgentModeOptions } from "../setup/options.ts";
import type { CheckedOptions, PreparedRun, RunExecutionOptions } from "../setup/prepare-run.ts";
import type { Warnings } from "../setup/warnings.ts";
import { AgentModeEvents } from "./agent-mode-events.ts";
import { AgentSocket } from "./agent-socket.ts";
import { localExchange } from "./local-exchange.ts";
import { openingOf } from "./opening.ts";
import { TaskJournal } from "./task-journal.ts";

/** The agent whose name a run of agent mode has in the session file. */
export const agentModeName: string = agentModeManager.id;

interface TaskParts {
  readonly prepared: PreparedRun;
  readonly checked: CheckedOptions;
  readonly ports: Ports;
  readonly warnings: Warnings;
  readonly signal: AbortSignal;
}

interface TaskOutcome {
  readonly output: AgentOutput;
  readonly status: FinishStatus;
  readonly sessionState: SessionState;
}

/** The prompt as a task of agent mode: the loop here or on the server, the tools always here. The actions are those of any run. */
export async function* sendAgentTask(
  options: RunExecutionOptions,
  parts: TaskParts,
): AsyncGenerator<RuntimeAction, void, void> {
  const actions = new ActionStream(parts.signal);
  const running = runTask(options, parts, actions)
    .then((end) => actions.send({ type: "prompt-response", ...end }))
    .finally(() => actions.end());
  yield* actions;
  await running;
}

/** Never rejects. */
async function runTask(options: RunExecutionOptions, parts: TaskParts, actions: ActionStream): Promise<TaskOutcome> {
  const { prepared, checked, ports, signal } = parts;
  const { session, agentMode = {} } = options;
  const { sessionId } = checked;
  const task = taskOf(options);
  // Nothing is read into a task that is going on: what is said meanwhile waits for the next prompt.
  options.steering?.close();
  const model = modelOf(options, parts);
  const teller = new AgentModeEvents(actions, { sessionId, agentId: agentModeManager.id, model });
  ports.tools.tellTo?.((event) => {
    teller.event(event);
    return actions.taken();
  });
  let { messageHistory } = prepared.sessionState.mainAgentState;
  let close = () => {};
  let end: AgentTaskEnd;
  let kept: TaskJournal | undefined;
  try {
    const journal = await TaskJournal.open(session, { home: checked.home, root: checked.root });
    kept = journal;
    teller.start(journal.state.messageHistory.length, options.messageId);
    const { messageId } = options;
    await session?.beginRun({ agent: agentModeManager.id, model, messages: messageHistory, messageId });
    await addMessage({ role: "user", content: [{ type: "text", text: task }], tags: ["USER_PROMPT"] });
    const opened = openExchange(options, parts, { model, teller, journal, room: () => actions.room() });
    close = opened.close;
    end = await runAgentTask({
      task,
      state: journal.state,
      newTask: agentMode.newTask,
      opening: { ...(await openingOf(prepared, checked)), toolResults: journal.openResults() },
      async exchange(message, receive) {
        const refusal = refusalFor(journal.state, options, signal);
        if (refusal !== undefined) return receive({ type: "agent_error", ...refusal });
        await opened.exchange(message, receive);
      },
      execute: (call) => execute(call, parts, { teller, journal, sessionId }),
      onMessage(message) {
        teller.message(message);
        if (message.type === "agent_state") journal.keepState(message.agentState);
      },
    });
    await journal.settled();
  } catch (error) {
    const { message, code = "run_failed" } = asModelFailure(error, Date.now());
    const state = kept?.state ?? emptyAgentState;
    end = { type: "failed", state, code: signal.aborted ? "cancelled" : code, message, run: state.run };
    teller.start(0, options.messageId);
  } finally {
    close();
  }
  const outcome = outcomeOf(end);
  if (end.type === "completed" && end.response !== "") await addMessage(answer(end.response)).catch(() => undefined);
  teller.finish(outcome, end.run && (await kept?.takeUntold(end.run)));
  const mainAgentState = { ...prepared.sessionState.mainAgentState, messageHistory };
  return { ...outcome, sessionState: { ...prepared.sessionState, mainAgentState } };

  async function addMessage(message: Message): Promise<void> {
    messageHistory = [...messageHistory, message];
    await actions.taken();
    await ports.log.write({ type: "append", agentId: rootAgentName, messages: [message] });
  }
}

/** The server's loop with an account, ours with an own key, in demo mode and where `local` says so. */
function openExchange(
  { agentMode }: RunExecutionOptions,
  { prepared, checked, ports, signal }: TaskParts,
  {
    model,
    teller,
    journal,
    room,
  }: { model: string; teller: AgentModeEvents; journal: TaskJournal; room: () => Promise<void> },
): { exchange: AgentTask["exchange"]; close(): void } {
  const { ways } = prepared;
  if (!isRemote(ways, agentMode) || ways.credential === undefined) {
    return { exchange: localExchange(ports, { model, signal, room }), close() {} };
  }
  const socket = new AgentSocket({
    baseUrl: ways.baseUrl,
    apiKey: ways.credential.apiKey,
    sessionId: checked.sessionId,
    signal,
    room,
    onLost: () => teller.withdraw(),
  });
  return {
    async exchange(message, receive) {
      teller.beginExchange();
      await socket.exchange(message, await journal.nextSeq(), receive);
    },
    close: () => socket.close(),
  };
}

function isRemote(ways: Ways, agentMode: AgentModeOptions | undefined): boolean {
  return usesBackend(ways) && agentMode?.local !== true;
}

/** Runs one call through the tools of any run, with the terminal in agent mode. A result that is known is not made again. */
async function execute(
  call: AgentModeCall,
  { ports, signal }: TaskParts,
  { teller, journal, sessionId }: { teller: AgentModeEvents; journal: TaskJournal; sessionId: string },
): Promise<AgentModeResult> {
  await journal.settled();
  const known = journal.resultOf(call.id);
  if (known !== undefined) return known;
  teller.toolCall(call);
  const runId = journal.state.run?.id ?? call.id;
  const scope = { sessionId, runId, agentId: rootAgentName, parentAgentId: undefined, ancestorRunIds: [], signal };
  const asked = { toolCallId: call.id, toolName: call.name, input: call.params };
  const [ran] = signal.aborted
    ? []
    : await ports.tools.run([asked], scope, (_, text) => teller.toolProgress(call, text));
  const output = ran?.output ?? errorOutput(interruptedMessage);
  teller.toolResult(call, output);
  const result = agentModeResult(call, output);
  await journal.keepResult(result);
  return result;
}

/** Why no further message is sent. */
function refusalFor(
  { run }: AgentState,
  { maxAgentSteps, budgetUsd }: RunExecutionOptions,
  signal: AbortSignal,
): { code: string; message: string } | undefined {
  if (signal.aborted) return { code: "cancelled", message: "Run cancelled by user" };
  if (run !== undefined && maxAgentSteps !== undefined && run.steps >= maxAgentSteps) {
    return { code: "max_steps", message: `The task took ${run.steps} steps and is left here` };
  }
  if (budgetUsd === undefined) return undefined;
  const usd = run === undefined ? 0 : dollarsOf(costOfRun(run));
  const message = overBudget(usd, budgetUsd);
  return message === undefined ? undefined : { code: "budget_exceeded", message };
}

function outcomeOf(end: AgentTaskEnd): Pick<TaskOutcome, "output" | "status"> {
  if (end.type === "completed") {
    return { output: { type: "lastMessage", value: [answer(end.response)] }, status: "completed" };
  }
  const { code, message } = end;
  const status = code === "cancelled" || code === "max_steps" ? code : "failed";
  const text = code === "cancelled" ? "Run cancelled by user" : message;
  return { output: { type: "error", message: text, error: code }, status };
}

function answer(text: string): Message {
  return { role: "assistant", content: [{ type: "text", text }] };
}

/** The server decides about its model; a person who named one is told. */
function modelOf({ model, agentMode }: RunExecutionOptions, { prepared: { ways }, warnings }: TaskParts): string {
  if (!isRemote(ways, agentMode)) return resolveModel(ways, model ?? agentModeManager.model);
  if (model !== undefined)
    warnings.add("The server chooses the model of agent mode; --agent-local uses yours", "model");
  return agentModeManager.model;
}

function taskOf({ prompt = "", content = [] }: RunExecutionOptions): string {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [prompt, ...texts].filter((text) => text !== "").join("\n\n");
}
