import type { EventBody } from "@muster/schema";
import { EventReader } from "../../converter/event-reader.ts";
import { codebuffConverter } from "../converter.ts";
import { FinishLine, ReadyLine, StartLine } from "../wire/native.ts";
import { costMetadata } from "./on-finish.ts";
import { startMetadata } from "./on-start.ts";

/**
 * Lines of a `codebuff` that somebody else ran. A process of one prompt is a session from `start` to `finish`; one that
 * was kept open (it begins with `ready`) is a session until its lines end.
 */
export function codebuffLogReader(): { line(line: string): EventBody[]; end(): EventBody[] } {
  const reader = new EventReader(codebuffConverter);
  let isOpen = false;
  let isKeptOpen = false;
  let hasEnded = false;
  let totals = { runs: 0, credits: 0, dollars: 0, isKnown: true };

  const begin = (native: StartLine | ReadyLine): EventBody[] => {
    if (isOpen) return [];
    isOpen = true;
    const metadata = startMetadata(native);
    const model = native.model ?? undefined;
    const nativeSessionId = native.sessionId ?? undefined;
    const agentVersion = "version" in native ? native.version : undefined;
    const known = { agent: "codebuff", permissionMode: "bypass", directory: "", resumed: hasEnded } as const;
    return [{ type: "session.started", data: { ...known, model, nativeSessionId, agentVersion, metadata } }];
  };
  const finish = (reason: "completed" | "error", message?: string): EventBody[] => {
    isOpen = false;
    hasEnded = true;
    const metadata = { ...costMetadata(totals), synthetic: message === undefined ? undefined : true };
    totals = { runs: 0, credits: 0, dollars: 0, isKnown: true };
    return [{ type: "session.ended", data: { reason, terminatedBy: "agent", message, metadata } }];
  };

  return {
    line(line) {
      const native = parse(line);
      const ready = typeOf(native) === "ready" ? ReadyLine.safeParse(native).data : undefined;
      const start = typeOf(native) === "start" ? StartLine.safeParse(native).data : undefined;
      const finished = typeOf(native) === "finish" ? FinishLine.safeParse(native).data : undefined;
      isKeptOpen ||= ready !== undefined;
      const first = ready ?? start;
      const begun = first ? begin(first) : [];
      const told = reader.line(line);
      // What a session begins with is no change.
      const events = begun.length > 0 ? [...begun, ...told.filter(({ type }) => type !== "session.updated")] : told;
      if (finished === undefined) return events;
      const { totalCost, totalCostUsd, costUnknown } = finished;
      totals = {
        runs: totals.runs + 1,
        credits: totals.credits + totalCost,
        dollars: totals.dollars + (totalCostUsd ?? totalCost / 100),
        isKnown: totals.isKnown && !costUnknown,
      };
      if (isKeptOpen || !isOpen) return events;
      const isGood = (finished.status ?? "completed") === "completed";
      return [...events, ...finish(isGood ? "completed" : "error")];
    },
    end() {
      const events = reader.end();
      if (!isOpen) return events;
      if (isKeptOpen) return [...events, ...finish("completed")];
      const message = "The lines end without a finish";
      const details = { synthetic: true };
      const error: EventBody = { type: "error", data: { code: "agent_exited", message, retryable: true, details } };
      return [error, ...events, ...finish("error", message)];
    },
  };
}

function typeOf(native: unknown): unknown {
  return typeof native === "object" && native !== null && "type" in native ? native.type : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON: the reader tells it as a line that nobody understood.
    return undefined;
  }
}
