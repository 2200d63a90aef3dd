import type { LifecycleLine } from "./native.ts";
import { type ClaudeState, type Told, told, turnOver, withEntry, without } from "./state.ts";

/** What became of a message: waits, is being answered, or is done with. */
export function lived(state: ClaudeState, { command_uuid: messageId, state: where }: LifecycleLine): Told {
  const message = state.messages.get(messageId);
  if (message === undefined) return told(state);
  switch (where) {
    case "started":
      return messageStarted(state, messageId, message.steers);
    case "completed":
      return told({ ...state, messages: without(state.messages, messageId) });
    case "cancelled":
      return messageCancelled(state, messageId, message);
    // "queued": it has it, and the engine knows that from the pipe.
    default:
      return told(state);
  }
}

function messageStarted(state: ClaudeState, messageId: string, steers: boolean): Told {
  const turn = { ...state.turn, messageIds: [...state.turn.messageIds, messageId] };
  const messages = withEntry(state.messages, messageId, { steers, started: true });
  const echoed = { type: "message.echoed", data: { messageId, nativeItemId: messageId } } as const;
  if (!steers) return told({ ...state, messages, turn: { ...turn, isOpen: true } }, echoed);
  // After the turn it was meant for, it is a turn of Claude's own.
  if (!state.turn.isOpen) return told({ ...state, messages });
  return told({ ...state, messages, turn }, { type: "message.joined", data: { messageId } });
}

/** A message that was taken back before its turn began has no result; its turn is over all the same. */
function messageCancelled(
  state: ClaudeState,
  messageId: string,
  { steers, started }: { steers: boolean; started: boolean },
): Told {
  const next = { ...state, messages: without(state.messages, messageId) };
  if (steers || started) return told(next);
  return told(turnOver(next), { type: "turn.finished", data: { status: "interrupted", messageIds: [messageId] } });
}
