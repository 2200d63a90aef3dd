import { type Body, Failure, type Item, type SentMessage } from "@muster/schema/wire";
import type { QueuedMessage } from "../../fold.ts";
import type { Journal } from "../state/journal.ts";
import { Groups } from "./groups.ts";

type Waiter = (sequence: number) => void;

/** The messages of a session as the log knows them: queued, then given, joined, cancelled or failed. */
export class Messages {
  readonly #journal: Journal;
  /** Sent into the open turn; the agent has not confirmed it yet. */
  readonly #steering = new Set<string>();
  /** Who waits for the end of a message: by the message, and once it is in a turn by that. */
  readonly #waiters = { ofMessage: new Groups<Waiter>(), ofTurn: new Groups<Waiter>() };

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The answer this message got before, if it is a retry. Throws when its id belongs to another message. */
  find(messageId: string, digest: string): SentMessage | undefined {
    const known = this.#journal.state.messages.get(messageId);
    if (!known) return undefined;
    if (known.digest !== digest) {
      throw new Failure("message_conflict", `The id ${messageId} was used for another message`, { messageId });
    }
    if (known.rewound) {
      throw new Failure("message_conflict", `The message ${messageId} was rewound: give it a new id`, { messageId });
    }
    return { messageId, sequence: known.sequence };
  }

  isQueued(messageId: string): boolean {
    return this.#journal.state.queue.has(messageId);
  }

  isSteering(messageId: string): boolean {
    return this.#steering.has(messageId);
  }

  /** The oldest message that waits to be given. */
  next(): QueuedMessage | undefined {
    for (const message of this.#journal.state.queue.values())
      if (!this.#steering.has(message.messageId)) return message;
    return undefined;
  }

  enqueue({ messageId, ...message }: Omit<Body<"message.updated">["data"], "status">): void {
    const data = { messageId, status: "queued", ...message } as const;
    this.#journal.emit("daemon", { type: "message.updated", data }, null);
    if (message.delivery === "steer") this.#steering.add(messageId);
  }

  /** The message opens this turn. */
  give({ messageId }: QueuedMessage, turnId: string): void {
    this.#journal.emit("daemon", { type: "message.updated", data: { messageId, status: "given", turnId } }, turnId);
  }

  /** The agent has taken a steering message into its turn. */
  join(messageId: string): void {
    const { turn, queue } = this.#journal.state;
    const message = queue.get(messageId);
    if (!turn || !message) return;
    this.#steering.delete(messageId);
    const data = { messageId, status: "joined", turnId: turn.turnId } as const;
    this.#journal.emit("daemon", { type: "message.updated", data });
    this.addUserItem(message);
  }

  addUserItem({ text, attachments }: QueuedMessage): void {
    const files = attachments.map(({ path, mime }) =>
      mime.startsWith("image/")
        ? ({ type: "image", mime, path } as const)
        : ({ type: "file", path, action: "read" } as const),
    );
    const item: Item = {
      itemId: `user_${this.#journal.state.next.userItem}`,
      kind: "message",
      role: "user",
      status: "completed",
      content: [{ type: "text", text }, ...files],
    };
    this.#journal.emit("daemon", { type: "item.started", data: { item } });
    this.#journal.emit("daemon", { type: "item.completed", data: { item } });
  }

  cancel(messageId: string): void {
    const known = this.#journal.state.messages.get(messageId);
    if (!known) throw new Failure("message_not_found", `There is no message ${messageId}`, { messageId });
    if (known.status !== "queued" || this.#steering.has(messageId)) {
      const what = known.status === "queued" ? "being steered" : known.status;
      throw new Failure("already_given", `The message ${messageId} is ${what}`, { messageId });
    }
    this.#settle(messageId, "cancelled");
  }

  cancelQueue(): void {
    for (const messageId of [...this.#journal.state.queue.keys()]) {
      if (!this.#steering.has(messageId)) this.#settle(messageId, "cancelled");
    }
  }

  fail(messageId: string): void {
    this.#settle(messageId, "failed");
  }

  /** Steering that did not arrive before its turn ended is not sent again: the agent may have it. */
  failSteering(): void {
    for (const messageId of this.#steering) this.#settle(messageId, "failed");
    this.#steering.clear();
  }

  /** The sequence with which everything about a message is over: the end of its turn, or its failure. */
  async end(messageId: string): Promise<number> {
    const { endSequence, turnId } = this.#journal.state.messages.get(messageId) ?? {};
    if (endSequence !== undefined) return endSequence;
    return new Promise((resolve) => {
      if (turnId === undefined) this.#waiters.ofMessage.add(messageId, resolve);
      else this.#waiters.ofTurn.add(turnId, resolve);
    });
  }

  /** Those who wait for a message that is in a turn now wait for the turn; the others are told its end. */
  tellWaiters({ messageId, status, turnId }: Body<"message.updated">["data"]): void {
    if (status === "queued") return;
    const { sequence } = this.#journal.state;
    for (const tell of this.#waiters.ofMessage.take(messageId)) {
      if (turnId === undefined) tell(sequence);
      else this.#waiters.ofTurn.add(turnId, tell);
    }
  }

  /** The event before was the end of this turn. */
  tellTurnEnded(turnId: string): void {
    const { sequence } = this.#journal.state;
    for (const tell of this.#waiters.ofTurn.take(turnId)) tell(sequence);
  }

  #settle(messageId: string, status: "cancelled" | "failed"): void {
    this.#journal.emit("daemon", { type: "message.updated", data: { messageId, status } }, null);
  }
}
