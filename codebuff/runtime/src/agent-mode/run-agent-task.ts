import type {
  AgentModeCall,
  AgentModeClientMessage,
  AgentModeResult,
  AgentModeServerMessage,
  AgentState,
} from "@muster/codebuff-protocol";

/** The client's side of agent mode: it owns the state and runs the tools. */
export interface AgentTask {
  readonly task: string;
  readonly state: AgentState;
  readonly newTask?: boolean;
  /** Sends one message and settles when its last answer has come: over a socket, or `handleAgentPrompt` in this process. */
  exchange(message: AgentModeClientMessage, receive: (message: AgentModeServerMessage) => void): Promise<void>;
  /** Runs one call through the normal tool handlers, the terminal in agent mode. */
  execute(call: AgentModeCall): Promise<AgentModeResult>;
  onMessage(message: AgentModeServerMessage): void;
}

export type AgentTaskEnd =
  | { readonly type: "completed"; readonly state: AgentState; readonly response: string; readonly ended: boolean }
  | { readonly type: "failed"; readonly state: AgentState; readonly code: string; readonly message: string };

/** Sends the task, runs what is asked for one call after the other, answers each request once, until the turn is over. */
export async function runAgentTask(work: AgentTask): Promise<AgentTaskEnd> {
  let { state } = work;
  let message: AgentModeClientMessage = {
    type: "agent_initial_prompt",
    task: work.task,
    agentState: state,
    newTask: work.newTask,
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
    return { type: "completed", state, response: received.response, ended: received.ended };
  }
  if (received.type !== "agent_error") return undefined;
  return { type: "failed", state, code: received.code, message: received.message };
}

/** A handler never throws through the loop. */
async function executeSafely(work: AgentTask, call: AgentModeCall): Promise<AgentModeResult> {
  try {
    return await work.execute(call);
  } catch (error) {
    const result = error instanceof Error ? error.message : String(error);
    return { id: call.id, name: call.name, status: "error", result };
  }
}
