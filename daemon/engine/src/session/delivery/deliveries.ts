import { createHash, randomUUID } from "node:crypto";
import type { Adapter, AgentUser } from "@muster/adapters";
import { type Body, Failure, type SendMessage, type SentMessage } from "@muster/schema/wire";
import type { QueuedMessage } from "../../fold.ts";
import type { TraceContext } from "../../tracing.ts";
import { digestOf } from "../hand-over/digest.ts";
import { historyOfLog } from "../hand-over/history-of-log.ts";
import type { Admission } from "../life/admission.ts";
import type { Lives } from "../life/lives.ts";
import type { OngoingWork } from "../life/ongoing-work.ts";
import type { SessionSnapshots } from "../snapshots/session-snapshots.ts";
import type { AgentLife, CurrentLife } from "../state/agent-life.ts";
import { isOverBudget } from "../state/budget.ts";
import type { Journal } from "../state/journal.ts";
import type { RecoveryState } from "../state/recovery-state.ts";
import type { SessionSettings } from "../state/session-settings.ts";
import type { Messages } from "../turn/messages.ts";
import type { TurnSpan } from "../turn/turn-span.ts";
import type { Turns } from "../turn/turns.ts";
import { readAttachment, storeAttachments } from "./attachments.ts";

export interface DeliveriesParts {
  adapter: Pick<Adapter, "name" | "capabilities">;
  settings: Pick<SessionSettings, "file" | "limits" | "missingSecrets">;
  journal: Journal;
  messages: Messages;
  turns: Pick<Turns, "nextId" | "begin">;
  lives: Pick<Lives, "error" | "wake">;
  current: Pick<CurrentLife, "life" | "isAlive" | "tell">;
  admission: Pick<Admission, "isClosed" | "check">;
  recoveryState: Pick<RecoveryState, "settle" | "unsettle">;
  attachments: { folder: string; user?: AgentUser };
  work: Pick<OngoingWork, "background">;
  span: Pick<TurnSpan, "expect">;
  snapshots: Pick<SessionSnapshots, "isOn" | "beforeTurn">;
  /** Nothing is given before `resume()`: a restored daemon first listens. */
  isHeld: boolean;
}

/** A message must fit into one event with room for the envelope. */
const longestMessage = 900 * 1024;
/** Lives that may end before they are given anything, until the message has failed. */
const startsPerMessage = 2;
const endsAtOnce = {
  code: "agent_exited",
  message: "The agent ends as soon as it has started",
  retryable: true,
} as const;
const overBudget = { code: "budget_exceeded", message: "The session's budget is used up", retryable: false } as const;

/**
 * The way of a message: accepted when it is safe on disk, given to the agent at most once and one at a time, steered
 * into the open turn where the agent can.
 */
export class Deliveries {
  readonly #parts: DeliveriesParts;
  /** Appended and not yet safe on disk: a twin waits for the same sync. */
  readonly #accepting = new Map<string, Promise<void>>();
  #isHeld: boolean;
  #isDriving = false;
  /** The turn that is in the log but whose message has not been sent yet. */
  #giving: string | undefined;
  /** The message whose turn begins as soon as its directory is recorded. */
  #preparing: string | undefined;
  /** Lives in a row that were over before they could be given the next message. */
  #endedAtOnce = 0;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#isHeld = parts.isHeld;
  }

  get isDriving(): boolean {
    return this.#isDriving;
  }

  /** Whether the agent has not heard of this turn yet. */
  isGiving(turnId: string): boolean {
    return this.#giving === turnId;
  }

  /** An interrupt before the turn of a message has begun means that message: it would be ignored otherwise. */
  cancelPrepared(): void {
    const { messages } = this.#parts;
    if (this.#preparing !== undefined && messages.isQueued(this.#preparing)) messages.cancel(this.#preparing);
  }

  /** Accepts a message. Resolves when it is safe on disk; the same message again gives the same answer. */
  async accept(sent: SendMessage, trace?: TraceContext): Promise<SentMessage> {
    const { message, attachments = [], messageId = randomUUID(), delivery = "queue" } = sent;
    const { journal, messages, lives, current, admission, recoveryState, span } = this.#parts;
    admission.check();
    const digest = createHash("sha256").update(JSON.stringify({ message, attachments, delivery })).digest("base64url");
    const known = messages.find(messageId, digest);
    if (known) return this.#whenSafe(known);
    this.#check(sent, delivery);
    if (lives.error) await lives.wake();
    const { folder, user } = this.#parts.attachments;
    const stored = await storeAttachments(folder, attachments, user);
    await recoveryState.unsettle();
    // The waits above let a twin of this request overtake it. From here to the append there is no wait.
    const twin = messages.find(messageId, digest);
    if (twin) return this.#whenSafe(twin);
    admission.check();
    if (delivery === "reject") this.#mustBeIdle();
    span.expect(messageId, message, trace);
    messages.enqueue({
      messageId,
      message,
      attachments: stored.length > 0 ? stored : undefined,
      delivery: delivery === "steer" && this.#canSteer() ? "steer" : "queue",
      digest,
    });
    const { sequence } = journal.state;
    this.drive();
    const safe = journal.syncAll().finally(() => this.#accepting.delete(messageId));
    this.#accepting.set(messageId, safe);
    await safe;
    if (messages.isSteering(messageId)) current.tell({ type: "steer", messageId, text: message, attachments: stored });
    return { messageId, sequence };
  }

  attachment(name: string): Promise<Buffer> {
    return readAttachment(this.#parts.attachments.folder, name);
  }

  async cancel(messageId: string): Promise<void> {
    const { messages, journal, recoveryState } = this.#parts;
    messages.cancel(messageId);
    await journal.sync();
    await recoveryState.settle();
  }

  /** Nothing is given until `resume`: what is accepted meanwhile waits. */
  hold(): void {
    this.#isHeld = true;
  }

  /** What a restart left in the queue may be given from now on. */
  resume(): void {
    this.#isHeld = false;
    this.drive();
  }

  /** Gives messages to the agent until a turn is open or none is left. */
  drive(): void {
    if (this.#isDriving || !this.#next()) return;
    this.#isDriving = true;
    this.#parts.work.background("give a message to the agent", this.#giveAll());
  }

  async #giveAll(): Promise<void> {
    try {
      await this.#giveNext();
    } finally {
      this.#isDriving = false;
    }
    this.drive();
  }

  async #giveNext(): Promise<void> {
    const { journal, settings, current, snapshots } = this.#parts;
    const life = this.#waitingAgent() ?? (await this.#wakeFor(this.#next()));
    const next = this.#next();
    if (!life || !next) return;
    // It may be over by the time we hear that it runs. No turn begins in a life that has ended: the next one is tried.
    const isOver = current.life !== life;
    this.#endedAtOnce = isOver ? this.#endedAtOnce + 1 : 0;
    if (isOver && this.#endedAtOnce < startsPerMessage) return;
    if (isOver) return this.#fail(next, endsAtOnce);
    if (isOverBudget(settings.limits, journal.state)) return this.#fail(next, overBudget);
    const digest = journal.state.owesDigest ? await this.#digest() : "";
    if (this.#next()?.messageId !== next.messageId) return;
    // A message that was taken back meanwhile, or an agent that has ended, is seen at the next try.
    if (snapshots.isOn && !(await this.#recordBegin(life, next))) return;
    const turnId = this.#begin(next);
    await this.#give(life, { ...next, text: `${digest}${next.text}` }, turnId, journal.sync());
  }

  /** What another agent and the person said before, for one that cannot have it as its own. */
  async #digest(): Promise<string> {
    const { journal } = this.#parts;
    await journal.sync();
    const turnIds = new Set(journal.state.turns.map(({ turnId }) => turnId));
    return `${digestOf(await historyOfLog(journal.log.events(0), { turnIds, calls: "calls" }))}\n\n`;
  }

  /** What the directory holds before the prompt; false when the prompt cannot be given any more. */
  async #recordBegin(life: AgentLife, next: QueuedMessage): Promise<boolean> {
    const { snapshots, turns, current } = this.#parts;
    this.#preparing = next.messageId;
    try {
      await snapshots.beforeTurn(turns.nextId);
    } finally {
      this.#preparing = undefined;
    }
    return current.life === life && this.#next()?.messageId === next.messageId;
  }

  #fail(message: QueuedMessage, reason: Body<"error">["data"]): Promise<void> {
    const { journal, messages } = this.#parts;
    this.#endedAtOnce = 0;
    journal.emit("daemon", { type: "error", data: reason }, null);
    messages.fail(message.messageId);
    return journal.sync();
  }

  /** The turn of a message, told and not yet flushed. */
  #begin(message: QueuedMessage): string {
    const { messages, turns } = this.#parts;
    const turnId = turns.nextId;
    this.#giving = turnId;
    messages.give(message, turnId);
    turns.begin("user", [message.messageId]);
    messages.addUserItem(message);
    return turnId;
  }

  /** To the agent, once its turn is safe on disk: it is given at most once, whatever dies meanwhile. */
  async #give(life: AgentLife, message: QueuedMessage, turnId: string, synced: Promise<void> | undefined) {
    try {
      await synced;
    } finally {
      this.#giving = undefined;
    }
    if (this.#parts.journal.state.turn?.turnId !== turnId) return;
    const { messageId, text, attachments } = message;
    await life.send({ type: "message", messageId, text, attachments });
  }

  /** An agent that is there only waits: its turn begins at once, so that a message's acceptance and its turn share one sync. */
  #waitingAgent(): AgentLife | undefined {
    const { current } = this.#parts;
    return current.isAlive ? current.life : undefined;
  }

  /** The agent; when it does not start, the message it was woken for has failed. */
  async #wakeFor(message: QueuedMessage | undefined): Promise<AgentLife | undefined> {
    const { lives, messages, journal, admission, recoveryState } = this.#parts;
    try {
      return await lives.wake();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (admission.isClosed || !message || !messages.isQueued(message.messageId)) return undefined;
      messages.fail(message.messageId);
      await journal.sync();
      await recoveryState.settle();
      return undefined;
    }
  }

  /** What to give next: the oldest message, unless a turn is open or something is missing. */
  #next(): QueuedMessage | undefined {
    const { journal, messages, settings, admission } = this.#parts;
    const isBlocked = this.#isHeld || admission.isClosed || journal.state.turn || settings.missingSecrets.length > 0;
    return isBlocked ? undefined : messages.next();
  }

  /** A message that is known may not be on disk yet: nobody is told of it before. */
  async #whenSafe(known: SentMessage): Promise<SentMessage> {
    await this.#accepting.get(known.messageId);
    return known;
  }

  #check({ message, attachments = [] }: SendMessage, delivery: "queue" | "steer" | "reject"): void {
    const { adapter, settings } = this.#parts;
    if (Buffer.byteLength(JSON.stringify(message)) > longestMessage) {
      throw new Failure("invalid_request", `A message holds at most ${longestMessage} bytes; attach longer material`);
    }
    if (delivery === "steer" && !adapter.capabilities.steer) {
      throw new Failure("unsupported_option", `${adapter.name} cannot be steered`, { option: "delivery" });
    }
    if (!adapter.capabilities.images && attachments.some(({ mime }) => mime.startsWith("image/"))) {
      throw new Failure("unsupported_option", `${adapter.name} does not see pictures`, { option: "attachments" });
    }
    if (delivery === "reject") this.#mustBeIdle();
    const names = settings.missingSecrets;
    if (names.length === 0) return;
    const detail = `The daemon was restarted and keeps no secrets; give ${names.join(", ")} again with PATCH`;
    throw new Failure("credentials_required", detail, { sessionId: settings.file.sessionId, names });
  }

  #mustBeIdle(): void {
    const { journal, settings } = this.#parts;
    const { turn, queue } = journal.state;
    const { sessionId } = settings.file;
    if (turn || queue.size > 0) throw new Failure("session_busy", "A turn is open", { sessionId });
  }

  #canSteer(): boolean {
    const { journal, current } = this.#parts;
    return journal.state.turn !== null && current.isAlive && this.#giving === undefined;
  }
}
