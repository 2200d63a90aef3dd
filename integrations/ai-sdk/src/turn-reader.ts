import { HarnessError, type HarnessV1StreamPart } from "@ai-sdk/harness";
import type { Client, UniversalEvent } from "@muster/client";
import type { HumanAnswers } from "./human-answers.ts";
import type { TurnPlace } from "./place.ts";
import { isRequest, type RequestEvent, TurnParts } from "./turn-parts.ts";

export interface TurnReaderOptions {
  client: Client;
  sessionId: string;
  turn: TurnPlace;
  /** Events up to this one have been told, by this process or another. */
  toldTo: number;
  answers: HumanAnswers;
  startPart: HarnessV1StreamPart;
  emit: (part: HarnessV1StreamPart) => void;
  abortSignal: AbortSignal | undefined;
  onTold: (sequence: number) => void;
  onOver: () => void;
}

/** Reads one turn from the daemon's log: to its end, to a request that waits for a person, or until it is stopped. */
export class TurnReader {
  readonly #options: TurnReaderOptions;
  readonly #parts: TurnParts;
  readonly #leave = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: TurnReaderOptions) {
    this.#options = options;
    this.#parts = new TurnParts(options.turn.messageId, options.startPart);
  }

  /** Resolves when nothing more is told here; rejects when the turn failed or was aborted. */
  run(): Promise<void> {
    this.#running = this.#run();
    return this.#running;
  }

  /** Stops reading; the turn goes on without a reader. What was told ends where the place says. */
  async stop(): Promise<void> {
    this.#leave.abort();
    // Whoever has the control hears how it ended.
    await this.#running?.catch(() => {});
  }

  async #run(): Promise<void> {
    const { abortSignal, onOver } = this.#options;
    const abort = () => this.#leave.abort();
    abortSignal?.addEventListener("abort", abort, { once: true });
    try {
      if (abortSignal?.aborted !== true) await this.#read();
    } catch (error) {
      if (!this.#leave.signal.aborted) throw error;
    } finally {
      abortSignal?.removeEventListener("abort", abort);
    }
    if (this.#parts.isOver) onOver();
    else this.#emit(this.#parts.pause());
    if (this.#parts.failed !== undefined) throw new HarnessError(this.#parts.failed);
    if (abortSignal?.aborted !== true || this.#parts.isOver) return;
    await this.#cancel();
    onOver();
    throw abortSignal.reason;
  }

  async #read(): Promise<void> {
    const { client, sessionId, turn, toldTo, startPart } = this.#options;
    const { signal } = this.#leave;
    for await (const event of client.sessions.streamEvents({ sessionId, offset: turn.after }, { signal })) {
      if (event.sequence < toldTo) this.#parts.take(event);
      else if (event.sequence === toldTo && toldTo > turn.after) {
        this.#parts.take(event);
        this.#parts.pause();
        this.#emit([startPart]);
        if (await this.#isStillAsked(event)) return;
      } else {
        if (await this.#isAtRequest(event)) return;
        if (signal.aborted) return;
        this.#emit(this.#parts.push(event));
        this.#options.onTold(event.sequence);
      }
      if (this.#parts.isOver) return;
    }
  }

  /** Whether the turn waits for a person here; then it has been asked. */
  async #isAtRequest(event: UniversalEvent): Promise<boolean> {
    if (!isRequest(event) || !(await this.#isPending(idOf(event)))) return false;
    if (this.#leave.signal.aborted) return true;
    this.#emit(this.#parts.ask(event));
    this.#options.onTold(event.sequence);
    return true;
  }

  /** The turn was continued without the answer it waits for: it is asked once more, and not read in vain. */
  async #isStillAsked(event: UniversalEvent): Promise<boolean> {
    if (!isRequest(event) || this.#options.answers.given.has(idOf(event))) return false;
    if (!(await this.#isPending(idOf(event))) || this.#leave.signal.aborted) return false;
    this.#emit(this.#parts.askAgain(event));
    return true;
  }

  async #isPending(requestId: string): Promise<boolean> {
    const { client, sessionId } = this.#options;
    const { questions, permissions } = await client.sessions.listRequests({ sessionId });
    const ids = [...questions.map((one) => one.questionId), ...permissions.map((one) => one.permissionId)];
    return ids.includes(requestId);
  }

  #emit(parts: readonly HarnessV1StreamPart[]): void {
    for (const part of parts) this.#options.emit(part);
  }

  /** The caller wants no more of this turn: a message that waits is taken back, a turn that runs is interrupted. */
  async #cancel(): Promise<void> {
    const { client, sessionId, turn } = this.#options;
    try {
      await client.sessions.cancelMessage({ sessionId, messageId: turn.messageId });
    } catch {
      // It was given already.
      await client.sessions.interrupt({ sessionId });
    }
  }
}

function idOf(event: RequestEvent): string {
  return event.type === "question.requested" ? event.data.questionId : event.data.permissionId;
}
