import type { PrintModeEvent, PrintModeEventOf } from "@muster/codebuff-protocol";
import type { Session } from "@muster/codebuff-sdk";
import { mustBeNoted, noteKinds } from "../transcript/replay.ts";

/**
 * Writes down what the history of a run does not tell, as its events come. `costUntil` says what the session has cost once
 * a run has ended.
 */
export function noteEvents(
  session: Session,
  { agentMode, costUntil }: { agentMode: boolean; costUntil: (finish: PrintModeEventOf<"finish">) => number },
): (event: PrintModeEvent) => void {
  const thoughts = new JoinedThoughts();
  return (event) => {
    const time = timeToKeep(event);
    if (time !== undefined) void session.note(noteKinds.time, time).catch(() => undefined);
    const sessionUsd = event.type === "finish" ? costUntil(event) : 0;
    for (const one of thoughts.take(event)) {
      if (!mustBeNoted(one, { agentMode })) continue;
      // A full disk is told by the run itself, which writes to the same file.
      void session.note(noteKinds.event, one.type === "finish" ? { ...one, sessionUsd } : one).catch(() => undefined);
    }
  };
}

/** The screen shows seconds, and nothing below one. */
function timeToKeep(event: PrintModeEvent): { toolCallId: string; durationMs: number } | undefined {
  if (event.type !== "tool_result" || event.durationMs === undefined || event.durationMs < 1_000) return undefined;
  return { toolCallId: event.toolCallId, durationMs: event.durationMs };
}

/** Thoughts come in many small pieces; what is kept of them is one piece for each thought. */
class JoinedThoughts {
  readonly #open = new Map<string | undefined, PrintModeEventOf<"reasoning_delta">>();

  /** The event as it is to be kept, after the thought that it ends. */
  take(event: PrintModeEvent): PrintModeEvent[] {
    if (event.type === "reasoning_delta") {
      const before = this.#open.get(event.agentId);
      this.#open.set(event.agentId, before === undefined ? event : { ...before, text: before.text + event.text });
      return [];
    }
    const agentId = "agentId" in event && typeof event.agentId === "string" ? event.agentId : undefined;
    const ended = event.type === "finish" ? [...this.#open.keys()] : [agentId];
    const thoughts = ended.flatMap((id) => this.#open.get(id) ?? []);
    for (const id of ended) this.#open.delete(id);
    return [...thoughts, event];
  }
}
