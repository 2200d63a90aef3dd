import type {
  AgentInitialPromptAction,
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeRun,
  AgentModeServerMessage,
  AgentState,
} from "@muster/codebuff-protocol";
import { messageOf } from "@muster/core";

/** The client's side of agent mode: it owns the state and runs the tools. */
export interface AgentTask {
  readonly task: string;
  readonly state: AgentState;
  readonly newTask?: boolean;
  /** What the first message tells beside the task: the client's files and memory, and results of calls left open. */
  readonly opening?: Pick<AgentInitialPromptAction, "fileContext" | "memory" | "self" | "toolResults">;
  /** Sends one message and settles when its last answer has come: over a socket, or `handleAgentPrompt` in this process. */
  exchange(message: AgentModeClientMessage, receive: (message: AgentModeServerMessage) => void): Promise<void>;
  /** Runs one call through the normal tool handlers, the terminal in agent mode. */
  execute(call: AgentModeCall): Promise<AgentModeResult>;
  onMessage(message: AgentModeServerMessage): void;
}

export type AgentTaskEnd =
  | (TaskEnd & { readonly type: "completed"; readonly response: string; readonly ended: boolean })
  | (TaskEnd & { readonly type: "failed"; readonly code: string; readonly message: string });

interface TaskEnd {
  readonly state: AgentState;
  /** The run that ended and what it cost. */
  readonly run?: AgentModeRun;
}

/** Sends the task, runs what is asked for one call after the other, answers each request once, until the turn is over. */
export async function runAgentTask(work: AgentTask): Promise<AgentTaskEnd> {
  let { state } = work;
  let message: AgentModeClientMessage = {
    type: "agent_initial_prompt",
    task: work.task,
    agentState: state,
    newTask: work.newTask,
    ...work.opening,
  };
  for (;;) {
    let calls: readonly AgentModeCall[] = [];
    let end: AgentTaskEnd | undefined;
    await work.exchange(message, (received) => {
      work.onMessage(received);
      if (received.type === "agent_state") state = received.agentState;
      if (received.type === "agent_request_tool_execution") calls = received.toolCalls;
      end = endOf(received, state) ?? end;
    });
    if (calls.length === 0) {
      return end ?? { type: "failed", state, code: "no_answer", message: "The agent did not answer" };
    }
    const toolResults: AgentModeResult[] = [];
    for (const call of calls) toolResults.push(await executeSafely(work, call));
    message = { type: "agent_tool_response", toolResults, agentState: state };
  }
}

function endOf(received: AgentModeServerMessage, state: AgentState): AgentTaskEnd | undefined {
  if (received.type === "agent_turn_complete") {
    const { response, ended, run } = received;
    return { type: "completed", state, response, ended, run };
  }
  if (received.type !== "agent_error") return undefined;
  const { code, message, run = state.run } = received;
  return { type: "failed", state, code, message, run };
}

/** A handler never throws through the loop. */
async function executeSafely(work: AgentTask, call: AgentModeCall): Promise<AgentModeResult> {
  try {
    return await work.execute(call);
  } catch (error) {
    const result = messageOf(error);
    return { id: call.id, name: call.name, status: "error", result };
  }
}
