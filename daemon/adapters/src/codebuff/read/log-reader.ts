import type { EventBody } from "@muster/schema";
import type { LinesReader } from "../../converter/agent-lines.ts";
import { EventReader } from "../../converter/event-reader.ts";
import { codebuffConverter } from "../converter.ts";
import { costMetadata } from "./on-finish.ts";

/** Lines of a `codebuff` that somebody else ran: a session from its first `start` or `ready` to the end of its lines. */
export function codebuffLogReader(): LinesReader {
  const reader = new EventReader(codebuffConverter);
  let hasBegun = false;
  let isKeptOpen = false;
  let lastStatus: string | undefined;

  return {
    line(line) {
      const { isOpen } = reader.state.turn;
      const told = reader.line(line);
      const { facts, turn } = reader.state;
      for (const event of told) if (event.type === "turn.ended") lastStatus = event.data.status;
      const begins = !hasBegun && facts.metadata !== undefined && (facts.ready || (turn.isOpen && !isOpen));
      if (!begins) return told;
      hasBegun = true;
      isKeptOpen = facts.ready;
      const { model, nativeSessionId, agentVersion, metadata } = facts;
      const known = { agent: "codebuff", permissionMode: "bypass", directory: "", resumed: false } as const;
      const data = { ...known, model, nativeSessionId, agentVersion, metadata };
      // What a session begins with is no change.
      return [{ type: "session.started", data }, ...told.filter(({ type }) => type !== "session.updated")];
    },
    end() {
      const isCut = hasBegun && !isKeptOpen && reader.state.turn.isOpen;
      const events = reader.end();
      if (!hasBegun) return events;
      const message = isCut ? "The lines end without a finish" : undefined;
      const details = { synthetic: true };
      const metadata = { ...costMetadata(reader.state.totals), ...(isCut ? details : {}) };
      const isGood = isKeptOpen || (!isCut && (lastStatus ?? "completed") === "completed");
      const ended: EventBody = {
        type: "session.ended",
        data: { reason: isGood ? "completed" : "error", terminatedBy: "agent", message, metadata },
      };
      if (message === undefined) return [...events, ended];
      return [{ type: "error", data: { code: "agent_exited", message, retryable: true, details } }, ...events, ended];
    },
  };
}
