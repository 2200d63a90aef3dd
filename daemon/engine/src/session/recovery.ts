import type { Journal } from "./journal.ts";
import type { OpenItems } from "./open-items.ts";
import type { Requests } from "./requests.ts";
import type { Turns } from "./turns.ts";

/**
 * Brings a session whose daemon died into a state that is true again: what was open is closed, what may have been given
 * to the agent is never given again, what was never given stays queued.
 */
export function recover({
  journal,
  items,
  requests,
  turns,
}: {
  journal: Journal;
  items: OpenItems;
  requests: Requests;
  turns: Turns;
}): void {
  const { state } = journal;
  requests.cancelAll("daemon", "The daemon was restarted");
  for (const { messageId, delivery } of [...state.queue]) {
    // It may have been handed to the agent without a trace in the log.
    if (delivery === "steer")
      journal.emit("daemon", { type: "message.updated", data: { messageId, status: "failed" } });
  }
  // The write of a turn's first events can be torn: the message is given, its turn was never started.
  const torn = Object.entries(state.messages).find(
    ([, { status, endSequence }]) => status === "given" && endSequence === undefined && !state.turn,
  );
  if (torn) turns.begin("user", [torn[0]]);
  if (state.turn) {
    turns.end(
      state.turn.alive
        ? { status: "interrupted", cause: "daemon_restarted", workMayHaveContinued: true }
        : { status: "uncertain", cause: "daemon_restarted", workMayHaveContinued: true },
    );
  }
  items.closeAll("cancelled");
  if (state.life === "open" && state.agentState !== "asleep") {
    journal.emit("daemon", { type: "session.updated", data: { agentState: "asleep" } });
  }
}
