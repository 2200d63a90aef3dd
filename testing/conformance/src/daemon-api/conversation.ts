import { randomUUID } from "node:crypto";
import type {
  Body,
  CreatedSession,
  EventType,
  SendMessage,
  SentMessage,
  Session,
  UniversalEvent,
} from "@muster/schema";
import { expect, it } from "vitest";
import { checkInvariants } from "../check-invariants.ts";
import type { DaemonApi } from "./api.ts";

export type EventOf<T extends EventType> = UniversalEvent & Body<T>;

/** How long something may take that should happen at once; only a failure ever waits this long. */
const patienceMs = 45_000;

/** One session with one live reader from its first event on. */
export class Conversation {
  readonly sessionId: string;
  readonly events: UniversalEvent[] = [];
  readonly #api: DaemonApi;
  readonly #leave = new AbortController();
  readonly #reading: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  static async open(api: DaemonApi, settings: Record<string, unknown> = {}): Promise<Conversation> {
    const sessionId = `c-${randomUUID()}`;
    await api.post<CreatedSession>(`/sessions/${sessionId}`, { agent: "mock", ...settings });
    return new Conversation(api, sessionId);
  }

  constructor(api: DaemonApi, sessionId: string) {
    this.#api = api;
    this.sessionId = sessionId;
    this.#reading = this.#read();
  }

  get path(): string {
    return `/sessions/${this.sessionId}`;
  }

  send(message: string, more: Partial<SendMessage> = {}): Promise<SentMessage> {
    return this.#api.post(`${this.path}/messages`, { message, ...more });
  }

  /** Sends a message and waits for the end of its turn. */
  async say(message: string, more: Partial<SendMessage> = {}): Promise<TurnRecord> {
    const { messageId } = await this.send(message, more);
    return this.turnOf(messageId);
  }

  /** The turn a message was given to, once it is over. */
  async turnOf(messageId: string): Promise<TurnRecord> {
    const { data } = await this.until("turn.started", ({ messageIds }) => messageIds.includes(messageId));
    const end = await this.until("turn.ended", ({ turnId }) => turnId === data.turnId);
    return turnRecord(
      this.events.filter(({ turnId }) => turnId === data.turnId),
      end,
    );
  }

  /** What became of a message that was queued. */
  async fateOf(messageId: string): Promise<EventOf<"message.updated">["data"]> {
    const isTold = (data: EventOf<"message.updated">["data"]) =>
      data.messageId === messageId && data.status !== "queued";
    return (await this.until("message.updated", isTold)).data;
  }

  /** The first event of this kind, past or future; `after` leaves out what came before. */
  async until<T extends EventType>(
    type: T,
    matches: (data: EventOf<T>["data"]) => boolean = () => true,
    after = 0,
  ): Promise<EventOf<T>> {
    const isWanted = (event: UniversalEvent): event is EventOf<T> =>
      event.type === type && event.sequence > after && matches(event.data as EventOf<T>["data"]);
    const deadline = Date.now() + patienceMs;
    for (let seen = 0; ; ) {
      for (; seen < this.events.length; seen++) {
        const event = this.events[seen];
        if (event && isWanted(event)) return event;
      }
      if (this.#isOver) throw new Error(`The stream of ${this.sessionId} ended before ${type}:\n${this.#outline()}`);
      if (!(await this.#more(deadline))) {
        throw new Error(`No ${type} in ${this.sessionId} within ${patienceMs} ms:\n${this.#outline()}`);
      }
    }
  }

  view(): Promise<Session> {
    return this.#api.session(this.sessionId);
  }

  /** Resolves when the daemon has ended the stream. */
  over(): Promise<void> {
    return this.#reading;
  }

  leave(): Promise<void> {
    this.#leave.abort();
    return this.#reading;
  }

  /** The conversation is done: its log keeps every promise, and what was seen live is what is stored. */
  async finish(): Promise<void> {
    // The log last: what is seen live before it is read is in it.
    await this.leave();
    const log = await this.#api.log(this.sessionId);
    expect(checkInvariants(log)).toEqual([]);
    expect(this.events).toEqual(log.slice(0, this.events.length));
    await this.#api.ask("DELETE", this.path);
  }

  async #read(): Promise<void> {
    try {
      for await (const { data } of await this.#api.stream(`${this.path}/events/sse`, { signal: this.#leave.signal })) {
        this.events.push(JSON.parse(data) as UniversalEvent);
        this.#wake();
      }
    } catch {
      // A daemon that was killed breaks the connection; who waits for something is told below.
    } finally {
      this.#isOver = true;
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  async #more(deadline: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isMore = await new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, deadline - Date.now(), false);
      this.#waiting.add(() => resolve(true));
    });
    clearTimeout(timer);
    return isMore;
  }

  #outline(): string {
    const last = this.events.slice(-12);
    return last
      .map(({ sequence, type, data }) => `${sequence} ${type} ${JSON.stringify(data).slice(0, 160)}`)
      .join("\n");
  }
}

export interface TurnRecord {
  events: UniversalEvent[];
  end: EventOf<"turn.ended">["data"];
  /** What the assistant said in whole messages. */
  text: string;
  of<T extends EventType>(type: T): EventOf<T>["data"][];
}

function turnRecord(events: UniversalEvent[], { data: end }: EventOf<"turn.ended">): TurnRecord {
  const of = <T extends EventType>(type: T) =>
    events.filter((event) => event.type === type).map(({ data }) => data as EventOf<T>["data"]);
  const said = of("item.completed")
    .filter(({ item }) => item.kind === "message" && item.role === "assistant")
    .flatMap(({ item }) => item.content.map((part) => (part.type === "text" ? part.text : "")));
  return { events, end, text: said.join("\n"), of };
}

/** Runs a conversation to its end and checks its log. */
export async function converse(
  api: DaemonApi,
  settings: Record<string, unknown>,
  script: (talk: Conversation) => Promise<void>,
): Promise<void> {
  const talk = await Conversation.open(api, settings);
  try {
    await script(talk);
    await talk.finish();
  } finally {
    await talk.leave();
  }
}

/** Tests that are one conversation each. */
export function conversationTests(api: () => DaemonApi) {
  return (title: string, script: (talk: Conversation) => Promise<void>, settings: Record<string, unknown> = {}) =>
    it(title, () => converse(api(), settings, script));
}
