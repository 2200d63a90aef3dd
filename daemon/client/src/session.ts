import { untilAborted } from "@muster/core";
import type { Client } from "./client.ts";
import type { CreateSession, InterruptSession, SendMessage, SentMessage, UniversalEvent } from "./generated/types.ts";
import { type Handlers, HumanRequests } from "./human-requests.ts";
import { newId } from "./new-id.ts";
import { Reading } from "./reading.ts";
import { leavable } from "./stream/leavable.ts";
import { type ReadingTurn, Turn } from "./turn.ts";

export interface Abort {
  /** Ends the call or the reading with the signal's reason; the agent goes on. */
  signal?: AbortSignal | undefined;
}

/** What goes with a prompt. */
export interface AskOptions extends Omit<SendMessage, "message">, Abort {}

/** What goes with a prompt, and what is read of its turn. */
export interface PromptOptions extends AskOptions {
  /** false leaves out item.delta. */
  deltas?: boolean | undefined;
  /** Adds the agent's own message to each event. */
  raw?: boolean | undefined;
}

/** Which events are read. */
export interface EventsOptions extends Abort {
  /** The last sequence that is known; without it they are told from the beginning. */
  after?: number | undefined;
  /** false leaves out item.delta. */
  deltas?: boolean | undefined;
  /** Adds the agent's own message to each event. */
  raw?: boolean | undefined;
}

/**
 * One conversation with one agent. Nothing is sent before the first use, which also creates the session. Handlers are
 * shown the requests in whatever is being read here, a turn or the session's events; what a handler throws goes to who
 * reads, or to the console when that one has left, and the request is shown to whoever reads next.
 */
export class Session {
  /** The session's id, the same wherever it is read. */
  readonly id: string;
  readonly #client: Client;
  readonly #options: CreateSession | undefined;
  readonly #requests: HumanRequests;
  #created: { promise: Promise<unknown>; signal: AbortSignal | undefined } | undefined;
  /** Messages go one after the other, so that they arrive in the order of the calls. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(client: Client, id: string, options?: CreateSession) {
    this.id = id;
    this.#client = client;
    this.#options = options;
    this.#requests = new HumanRequests(client, id);
  }

  /**
   * Sends a message; what comes of it is read from the turn. A `messageId` of your own makes the same prompt sent twice
   * one message. `delivery` says what happens while a turn is open: wait for its end, join it, or fail.
   */
  prompt(text: string, { deltas, raw, signal, ...message }: PromptOptions = {}): Turn {
    const messageId = message.messageId ?? newId("msg");
    const sent = this.#send({ ...message, message: text, messageId }, signal);
    // Whoever reads the turn is told.
    sent.catch(() => {});
    const read = ({ leaving, ...wanted }: ReadingTurn) =>
      this.#read({ deltas: wanted.deltas && deltas, raw, signal }, leaving, sent);
    return new Turn({ messageId, sent, read });
  }

  /** The final text of a turn. Rejects with `TurnFailed` unless it completes. */
  ask(text: string, options?: AskOptions): Promise<string> {
    return this.prompt(text, options).text();
  }

  /** All events behind a sequence, past and live, until aborted. */
  events(options: EventsOptions = {}): AsyncIterable<UniversalEvent> {
    return leavable((leaving) => this.#read(options, leaving));
  }

  /** Answers permissions; the function that is returned takes the handler away. */
  onPermission(handler: Handlers["permission"]): () => void {
    return this.#requests.add("permission", handler);
  }

  /** Answers questions. */
  onQuestion(handler: Handlers["question"]): () => void {
    return this.#requests.add("question", handler);
  }

  /** Answers plans that wait for approval. */
  onPlan(handler: Handlers["plan"]): () => void {
    return this.#requests.add("plan", handler);
  }

  /** Ends the open turn; what is queued stays, unless it is told to go. */
  async interrupt({ signal, ...body }: InterruptSession & Abort = {}): Promise<void> {
    await this.#client.sessions.interrupt({ sessionId: this.id, ...body }, { signal });
  }

  /** Sends a message into the open turn. */
  steer(text: string, options?: AskOptions): Promise<SentMessage> {
    return this.prompt(text, { ...options, delivery: "steer" }).sent;
  }

  /** Sends a message for a turn of its own after the open one, and does not wait for it. */
  queue(text: string, options?: AskOptions): Promise<SentMessage> {
    return this.prompt(text, { ...options, delivery: "queue" }).sent;
  }

  /** Ends the agent's life; a later message starts a new one. */
  async terminate(options?: Abort): Promise<void> {
    await this.#client.sessions.terminate({ sessionId: this.id }, options);
  }

  /** Kills the agent, ends the readers, removes the log. */
  async delete(options?: Abort): Promise<void> {
    await this.#client.sessions.delete({ sessionId: this.id }, options);
  }

  /** The id makes it one message, however often it has to be sent. */
  #send(message: SendMessage, signal: AbortSignal | undefined): Promise<SentMessage> {
    const before = this.#sending;
    const sent = untilAborted(before, signal).then(async () => {
      await this.#ensure(signal);
      return await this.#client.sessions.sendMessage({ sessionId: this.id, ...message }, { signal, retry: true });
    });
    // Also when this one is aborted: the next does not overtake those before it.
    this.#sending = Promise.allSettled([before, sent]);
    return sent;
  }

  /** Creates the session, once; one that failed is tried again by the next who needs it. */
  async #ensure(signal: AbortSignal | undefined): Promise<void> {
    if (this.#options === undefined) return;
    const fields = { ...this.#options, sessionId: this.id };
    this.#created ??= { promise: this.#client.sessions.create(fields, { signal, retry: true }), signal };
    const creating = this.#created;
    try {
      await untilAborted(creating.promise, signal);
    } catch (error) {
      if (signal?.aborted && creating.signal !== signal) throw error;
      if (this.#created === creating) this.#created = undefined;
      // Whoever had begun it has gone away.
      if (creating.signal?.aborted && !signal?.aborted) return this.#ensure(signal);
      throw error;
    }
  }

  async *#read(
    options: EventsOptions,
    leaving?: AbortSignal,
    sent?: Promise<SentMessage>,
  ): AsyncGenerator<UniversalEvent> {
    const { deltas, raw } = options;
    const reading = new Reading([options.signal, leaving]);
    const { signal } = reading;
    let isRead = true;
    const onFailure = (error: unknown) => {
      if (isRead) reading.abort(error);
      else tellConsole(`A handler of session ${this.id} failed when nobody read it any more:`, error);
    };
    try {
      const offset = sent === undefined ? options.after : (await untilAborted(sent, signal)).sequence - 1;
      await this.#ensure(signal);
      const fields = { sessionId: this.id, offset, deltas, raw };
      for await (const event of this.#client.sessions.streamEvents(fields, { signal, retry: true })) {
        this.#requests.see(event, onFailure);
        yield event;
      }
    } catch (error) {
      if (!leaving?.aborted) throw error;
    } finally {
      isRead = false;
      reading.end();
    }
  }
}

/** For what nobody can be given. An abort is somebody's wish, and no failure: the client was closed. */
function tellConsole(text: string, error: unknown): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  // biome-ignore lint/suspicious/noConsole: the only place where a user would see it
  console.error(text, error);
}
