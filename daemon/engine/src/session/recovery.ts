import type { SessionParts } from "./connect-parts.ts";

/** What kept a session from ending its work: its daemon died, or its disk took no more. */
export type CutShort = "daemon_restarted" | "storage_full";

const reasons: Record<CutShort, string> = {
  daemon_restarted: "The daemon was restarted",
  storage_full: "The event log could not be written",
};

/**
 * Brings a session whose daemon died into a state that is true again: what was open is closed, what may have been given
 * to the agent is never given again, what was never given stays queued.
 */
export function recover({ journal, items, requests, turns, requestJournal }: SessionParts, cut: CutShort): void {
  const { state } = journal;
  requests.cancelAll("daemon", reasons[cut]);
  for (const { messageId, delivery } of [...state.queue.values()]) {
    // It may have been handed to the agent without a trace in the log.
    if (delivery === "steer")
      journal.emit("daemon", { type: "message.updated", data: { messageId, status: "failed" } });
  }
  // The write of a turn's first events can be torn: the message is given, its turn was never started.
  const torn = [...state.messages].find(
    ([, { status, endSequence }]) => status === "given" && endSequence === undefined && !state.turn,
  );
  if (torn) turns.begin("user", [torn[0]]);
  requestJournal.settleLost();
  if (state.turn) {
    const status = state.turn.alive ? "interrupted" : "uncertain";
    turns.end({ status, cause: cut, workMayHaveContinued: true });
  }
  items.closeAll("cancelled");
  if (state.life === "open" && state.agentState !== "asleep") {
    journal.emit("daemon", { type: "session.updated", data: { agentState: "asleep" } });
  }
}
