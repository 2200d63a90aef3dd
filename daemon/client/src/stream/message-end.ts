import type { UniversalEvent } from "../generated/types.ts";

/** Follows one message through the events of its session and tells which event is the last that concerns it. */
export class MessageEnd {
  readonly #messageId: string;
  #turnId: string | undefined;

  constructor(messageId: string) {
    this.#messageId = messageId;
  }

  /** True for the end of the turn the message was given to or joined, and when it will never have one. */
  isLast(event: UniversalEvent): boolean {
    switch (event.type) {
      case "message.updated":
        if (event.data.messageId !== this.#messageId) return false;
        this.#turnId ??= event.data.turnId;
        return event.data.status === "cancelled" || event.data.status === "failed";
      case "turn.started":
        if (event.data.messageIds.includes(this.#messageId)) this.#turnId = event.data.turnId;
        return false;
      case "turn.ended":
        return event.data.turnId === this.#turnId;
    }
    return false;
  }
}
