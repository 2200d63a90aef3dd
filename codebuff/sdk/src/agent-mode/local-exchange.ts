import { agentModeManager } from "@muster/codebuff-agents";
import { emptyAgentState } from "@muster/codebuff-protocol";
import { type AgentTask, handleAgentPrompt, type Ports } from "@muster/codebuff-runtime";

/** The loop in this process, with the same messages as over a socket. */
export function localExchange(ports: Ports, model: string, signal: AbortSignal): AgentTask["exchange"] {
  return async (message, receive) => {
    await handleAgentPrompt(
      message,
      // The client's own state is all there is: the message brings it.
      { state: emptyAgentState, agent: agentModeManager, model, signal, send: receive },
      ports,
    );
  };
}
