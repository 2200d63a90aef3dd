import { randomUUID } from "node:crypto";
import type { ImagePart, TextPart } from "@muster/codebuff-protocol";
import type { Inbox } from "@muster/codebuff-runtime";

export interface SteeringMessage {
  readonly messageId: string;
  readonly content: readonly (TextPart | ImagePart)[];
}

/** Texts for a run that is going on. They enter it at its next step; when the turn has ended they are refused. */
export class Steering implements Inbox {
  readonly #onJoined: ((messageId: string) => void) | undefined;
  #waiting: SteeringMessage[] = [];
  #isClosed = false;

  constructor({ onJoined }: { onJoined?: (messageId: string) => void } = {}) {
    this.#onJoined = onJoined;
  }

  /** The message's id, or undefined when it came too late and has to begin a run of its own. */
  send(message: string | Omit<SteeringMessage, "messageId">, messageId: string = randomUUID()): string | undefined {
    if (this.#isClosed) return undefined;
    const content = typeof message === "string" ? [{ type: "text" as const, text: message }] : message.content;
    this.#waiting.push({ messageId, content });
    return messageId;
  }

  take(): readonly SteeringMessage[] {
    const taken = this.#waiting;
    this.#waiting = [];
    for (const { messageId } of taken) this.#onJoined?.(messageId);
    return taken;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** What was sent but never entered a run that was ended from outside. */
  get left(): readonly SteeringMessage[] {
    return this.#waiting;
  }
}
