import type { EventBody } from "@muster/schema";
import { cancelled } from "../read/on-result.ts";
import type { SaidLine } from "../wire/native.ts";

/** The line with which Amp would have said this; what it cannot say is in `law-exceptions`. */
export function nativeLine(body: EventBody): SaidLine | null {
  if (body.type === "turn.ended") return endLine(body.data.status === "interrupted");
  const [part] = body.type === "item.started" ? body.data.item.content : [];
  if (part?.type !== "tool_call") return null;
  return assistantLine([{ type: "tool_use", id: part.callId, name: part.name, input: part.input }]);
}

export function assistantLine(
  content: readonly object[],
  more: { stop_reason?: string; parent?: string } = {},
): SaidLine {
  const { stop_reason = null, parent = null } = more;
  return {
    type: "assistant",
    message: { type: "message", role: "assistant", content, stop_reason },
    parent_tool_use_id: parent,
  };
}

export function endLine(isInterrupted: boolean): SaidLine {
  return isInterrupted ? failureLine(cancelled) : assistantLine([], { stop_reason: "end_turn" });
}

export function failureLine(error: string): SaidLine {
  return { type: "result", subtype: "error_during_execution", is_error: true, error };
}
