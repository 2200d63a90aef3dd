import { withEntry, withoutEntry } from "@muster/core";
import { emit } from "../../converter/steps.ts";
import type { LifecycleLine } from "../wire/native.ts";
import { type ClaudeState, type ClaudeStep, closeTurn } from "../wire/state.ts";

/** What became of a message: waits, is being answered, or is done with. */
export function onCommandLifecycle(
  state: ClaudeState,
  { command_uuid: messageId, state: where }: LifecycleLine,
): ClaudeStep {
  const message = state.messages.get(messageId);
  if (message === undefined) return emit(state);
  switch (where) {
    case "started":
      return startMessage(state, messageId, message.steers);
    case "completed":
      return emit({ ...state, messages: withoutEntry(state.messages, messageId) });
    case "cancelled":
      return cancelMessage(state, messageId, message);
    // "queued": it has it, and the engine knows that from the pipe.
    default:
      return emit(state);
  }
}

function startMessage(state: ClaudeState, messageId: string, steers: boolean): ClaudeStep {
  const turn = { ...state.turn, messageIds: [...state.turn.messageIds, messageId] };
  const messages = withEntry(state.messages, messageId, { steers, started: true });
  if (!steers) return emit({ ...state, messages, turn: { ...turn, isOpen: true } });
  // After the turn it was meant for, it is a turn of Claude's own.
  if (!state.turn.isOpen) return emit({ ...state, messages });
  return emit({ ...state, messages, turn }, { type: "message.joined", data: { messageId } });
}

/** A message that was taken back before its turn began has no result; its turn is over all the same. */
function cancelMessage(
  state: ClaudeState,
  messageId: string,
  { steers, started }: { steers: boolean; started: boolean },
): ClaudeStep {
  const next = { ...state, messages: withoutEntry(state.messages, messageId) };
  if (steers || started) return emit(next);
  return emit(closeTurn(next), { type: "turn.finished", data: { status: "interrupted", messageIds: [messageId] } });
}
