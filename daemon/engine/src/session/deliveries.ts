import { createHash, randomUUID } from "node:crypto";
import { Failure, type Item, type SendMessage, type SentMessage } from "@muster/schema";
import { own } from "../own.ts";
import { storeAttachments } from "./attachments.ts";
import type { SessionContext } from "./context.ts";
import type { QueuedMessage } from "./fold.ts";
import type { Lives } from "./lives.ts";

/** A message must fit into one event with room for the envelope. */
const longestMessage = 900 * 1024;
const overBudget = { code: "budget_exceeded", message: "The session's budget is used up", retryable: false } as const;

/**
 * The way of a message: accepted when it is safe on disk, given to the agent at most once and one at a time, steered
 * into the open turn where the agent can, and in the end given, joined, cancelled or failed.
 */
export class Deliveries {
  readonly #session: SessionContext;
  readonly #lives: Lives;
  /** Sent into the open turn; the agent has not confirmed it yet. */
  readonly #steering = new Set<string>();
  readonly #waiters = new Map<string, ((sequence: number) => void)[]>();
  /** Appended and not yet safe on disk: a twin waits for the same sync. */
  readonly #accepting = new Map<string, Promise<void>>();
  #isDriving = false;
  /** The turn that is in the log but whose message has not been sent yet. */
  #giving: string | undefined;

  constructor(session: SessionContext, lives: Lives) {
    this.#session = session;
    this.#lives = lives;
  }

  get isDriving(): boolean {
    return this.#isDriving;
  }

  /** Whether the agent has not heard of this turn yet. */
  isGiving(turnId: string): boolean {
    return this.#giving === turnId;
  }

  /** Accepts a message. Resolves when it is safe on disk; the same message again gives the same answer. */
  async accept(sent: SendMessage): Promise<SentMessage> {
    const { message, attachments = [], messageId = randomUUID(), delivery = "queue" } = sent;
    const { journal, services, sessionId, active } = this.#session;
    this.#session.mustBeOpen();
    const digest = createHash("sha256").update(JSON.stringify({ message, attachments, delivery })).digest("base64url");
    const known = this.#known(messageId, digest);
    if (known) return this.#safe(known);
    this.#check(message, delivery);
    if (this.#lives.error) await this.#lives.wake();
    const folder = services.layout.attachments(sessionId);
    const stored = await storeAttachments(folder, messageId, attachments, services.host.user);
    await active.mark();
    // The waits above let a twin of this request overtake it. From here to the append there is no wait.
    const twin = this.#known(messageId, digest);
    if (twin) return this.#safe(twin);
    this.#session.mustBeOpen();
    if (delivery === "reject") this.#mustBeIdle();
    const steers = delivery === "steer" && this.#canSteer();
    const data = {
      messageId,
      status: "queued",
      message,
      ...(stored.length > 0 ? { attachments: stored } : {}),
      delivery: steers ? "steer" : "queue",
      digest,
    } as const;
    journal.emit("daemon", { type: "message.updated", data }, null);
    const { sequence } = journal.state;
    const appended = journal.flush();
    if (steers) this.#steering.add(messageId);
    const synced = appended?.synced().finally(() => this.#accepting.delete(messageId));
    if (synced) this.#accepting.set(messageId, synced);
    await synced;
    if (this.#steering.has(messageId))
      this.#lives.tell({ type: "steer", messageId, text: message, attachments: stored });
    else this.drive();
    return { messageId, sequence };
  }

  /** The sequence with which everything about a message is over: the end of its turn, or its failure. */
  async end(messageId: string): Promise<number> {
    const known = own(this.#session.journal.state.messages, messageId)?.endSequence;
    if (known !== undefined) return known;
    return new Promise((resolve) => {
      this.#waiters.set(messageId, [...(this.#waiters.get(messageId) ?? []), resolve]);
    });
  }

  tellWaiters(): void {
    for (const [messageId, waiters] of this.#waiters) {
      const end = own(this.#session.journal.state.messages, messageId)?.endSequence;
      if (end === undefined) continue;
      this.#waiters.delete(messageId);
      for (const resolve of waiters) resolve(end);
    }
  }

  async cancel(messageId: string): Promise<void> {
    const { journal } = this.#session;
    const known = own(journal.state.messages, messageId);
    if (!known) throw new Failure("message_not_found", `There is no message ${messageId}`, { messageId });
    if (known.status !== "queued" || this.#steering.has(messageId)) {
      const what = known.status === "queued" ? "being steered" : known.status;
      throw new Failure("already_given", `The message ${messageId} is ${what}`, { messageId });
    }
    this.#settle(messageId, "cancelled");
    await journal.sync();
    await this.#session.settle();
  }

  cancelQueue(): void {
    for (const { messageId } of [...this.#session.journal.state.queue]) {
      if (!this.#steering.has(messageId)) this.#settle(messageId, "cancelled");
    }
  }

  /** Gives messages to the agent until a turn is open or none is left. */
  drive(): void {
    if (this.#isDriving || !this.#next()) return;
    this.#isDriving = true;
    const given = this.#giveNext().finally(() => {
      this.#isDriving = false;
    });
    this.#session.background(
      "give a message to the agent",
      given.then(() => this.drive()),
    );
  }

  /** The agent has taken a steering message into its turn. */
  joined(messageId: string): void {
    const { journal } = this.#session;
    const { turn, queue } = journal.state;
    const message = queue.find((queued) => queued.messageId === messageId);
    if (!turn || !message) return;
    this.#steering.delete(messageId);
    journal.emit("daemon", { type: "message.updated", data: { messageId, status: "joined", turnId: turn.turnId } });
    this.#emitUserItem(message);
  }

  /** Steering that did not arrive before its turn ended is not sent again: the agent may have it. */
  turnEnded(): void {
    for (const messageId of this.#steering) this.#settle(messageId, "failed");
    this.#steering.clear();
  }

  checkBudget(): void {
    const { journal, turns } = this.#session;
    if (!journal.state.turn || !this.#isOverBudget()) return;
    turns.stopping("budget_exceeded");
    this.#lives.tell({ type: "interrupt" });
  }

  async #giveNext(): Promise<void> {
    const { journal, turns } = this.#session;
    const head = this.#next();
    const life = await this.#lives.wake().catch((error: unknown) => this.#notStarted(head, error));
    const next = this.#next();
    if (!life || !next) return;
    if (this.#isOverBudget()) {
      journal.emit("daemon", { type: "error", data: overBudget }, null);
      this.#settle(next.messageId, "failed");
      return journal.sync();
    }
    const { messageId, text, attachments } = next;
    const turnId = `turn_${journal.state.next.turn}`;
    journal.emit("daemon", { type: "message.updated", data: { messageId, status: "given", turnId } }, turnId);
    turns.begin("user", [messageId]);
    this.#emitUserItem(next);
    this.#giving = turnId;
    await journal.sync().finally(() => {
      this.#giving = undefined;
    });
    if (journal.state.turn?.turnId !== turnId) return;
    await life.send({ type: "message", messageId, text, attachments });
  }

  /** What to give next: the oldest message, unless a turn is open or something is missing. */
  #next(): QueuedMessage | undefined {
    const { journal, settings } = this.#session;
    const { turn, queue } = journal.state;
    if (this.#session.isClosed() || turn || settings.missingSecrets.length > 0) return undefined;
    return queue.find(({ messageId }) => !this.#steering.has(messageId));
  }

  async #notStarted(message: QueuedMessage | undefined, error: unknown): Promise<undefined> {
    if (!(error instanceof Failure)) throw error;
    const { journal } = this.#session;
    const isQueued = message && journal.state.messages[message.messageId]?.status === "queued";
    if (this.#session.isClosed() || !isQueued) return;
    this.#settle(message.messageId, "failed");
    await journal.sync();
    await this.#session.settle();
  }

  #settle(messageId: string, status: "cancelled" | "failed"): void {
    this.#session.journal.emit("daemon", { type: "message.updated", data: { messageId, status } }, null);
  }

  #emitUserItem({ text, attachments }: QueuedMessage): void {
    const { journal } = this.#session;
    const files = attachments.map(({ path, mime }) =>
      mime.startsWith("image/")
        ? ({ type: "image", mime, path } as const)
        : ({ type: "file", path, action: "read" } as const),
    );
    const item: Item = {
      itemId: `user_${journal.state.next.userItem}`,
      kind: "message",
      role: "user",
      status: "completed",
      content: [{ type: "text", text }, ...files],
    };
    journal.emit("daemon", { type: "item.started", data: { item } });
    journal.emit("daemon", { type: "item.completed", data: { item } });
  }

  #known(messageId: string, digest: string): SentMessage | undefined {
    const known = own(this.#session.journal.state.messages, messageId);
    if (!known) return undefined;
    if (known.digest !== digest) {
      throw new Failure("message_conflict", `The id ${messageId} was used for another message`, { messageId });
    }
    return { messageId, sequence: known.sequence };
  }

  /** A message that is known may not be on disk yet: nobody is told of it before. */
  async #safe(known: SentMessage): Promise<SentMessage> {
    await this.#accepting.get(known.messageId);
    return known;
  }

  #check(message: string, delivery: "queue" | "steer" | "reject"): void {
    const { adapter, settings } = this.#session;
    if (Buffer.byteLength(JSON.stringify(message)) > longestMessage) {
      throw new Failure("invalid_request", `A message holds at most ${longestMessage} bytes; attach longer material`);
    }
    if (delivery === "steer" && !adapter.capabilities.steer) {
      throw new Failure("unsupported_option", `${adapter.name} cannot be steered`, { option: "delivery" });
    }
    if (delivery === "reject") this.#mustBeIdle();
    const names = settings.missingSecrets;
    if (names.length === 0) return;
    throw new Failure("credentials_required", `Give ${names.join(", ")} again with PATCH`, { names });
  }

  #mustBeIdle(): void {
    const { journal, sessionId } = this.#session;
    const { turn, queue } = journal.state;
    if (turn || queue.length > 0) throw new Failure("session_busy", "A turn is open", { sessionId });
  }

  #canSteer(): boolean {
    return this.#session.journal.state.turn !== null && this.#lives.isAlive && this.#giving === undefined;
  }

  #isOverBudget(): boolean {
    const { budgetUsd } = this.#session.settings.limits;
    const { costUsd, turn } = this.#session.journal.state;
    return budgetUsd !== undefined && costUsd + (turn?.costUsd ?? 0) >= budgetUsd;
  }
}
