import { agentModeManager } from "@muster/codebuff-agents";
import { emptyAgentState } from "@muster/codebuff-protocol";
import { type AgentModeSession, type AgentTask, handleAgentPrompt, type Ports } from "@muster/codebuff-runtime";

/** The loop in this process, with the same messages as over a socket. */
export function localExchange(
  ports: Ports,
  session: Pick<AgentModeSession, "model" | "signal" | "room">,
): AgentTask["exchange"] {
  return async (message, receive) => {
    await handleAgentPrompt(
      message,
      // The client's own state is all there is: the message brings it.
      { ...session, state: emptyAgentState, agent: agentModeManager, send: receive },
      ports,
    );
  };
}
