import { emit, withoutEntry } from "../../converter/steps.ts";
import type { CodebuffState, CodebuffStep } from "./state.ts";

/** A steering message has entered the run. */
export function onJoined(state: CodebuffState, { messageId }: { messageId: string }): CodebuffStep {
  const turn = { ...state.turn, messageIds: [...state.turn.messageIds, messageId] };
  const next = { ...state, waiting: withoutEntry(state.waiting, messageId), turn };
  return emit(next, { type: "message.joined", data: { messageId } });
}
