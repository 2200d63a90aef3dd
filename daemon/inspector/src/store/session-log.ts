import type { Session, UniversalEvent } from "@muster/schema";
import { SessionFold } from "../model/session-fold.ts";
import type { Daemon } from "./daemon.ts";
import { codeOf, messageOf } from "./failures.ts";
import { breathe, follow } from "./follow.ts";
import { Observable } from "./observable.ts";

const firstPage = 300;
const olderPage = 2_000;
/** Rows that fill any screen, and how far back they are looked for before there is one. */
const enoughRows = 40;
const enoughEvents = 2_000;
/** How long events are folded before the browser is let in between. */
const sliceMs = 8;

/** The events of one session, the last ones first, then live; older ones when they are asked for. */
export class SessionLog extends Observable {
  readonly sessionId: string;
  readonly #daemon: Daemon;
  readonly #ended = new AbortController();
  /** Without a hole, up to the newest. */
  events: UniversalEvent[] = [];
  fold = new SessionFold();
  session: Session | undefined;
  state: "opening" | "live" | "reconnecting" | "failed" = "opening";
  failure = "";
  isLoading = false;
  #refresh: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;

  constructor(daemon: Daemon, sessionId: string) {
    super();
    this.#daemon = daemon;
    this.sessionId = sessionId;
    void this.#run().catch((error: unknown) => this.#fail(error));
  }

  get hasAll(): boolean {
    // None at all: what the session counts already may not be published yet, and comes by the stream.
    return (this.events[0]?.sequence ?? 1) === 1;
  }

  /** Reads what came before; resolves when it is shown. */
  loadOlder(): Promise<void> {
    this.#loading ??= this.#prepend(olderPage)
      .catch((error: unknown) => {
        if (!this.#daemon.locksOn(error)) this.failure = messageOf(error);
      })
      .finally(() => {
        this.#loading = undefined;
        this.changed();
      });
    return this.#loading;
  }

  /** Everything, or until told otherwise. */
  async loadAll(isWanted: () => boolean): Promise<void> {
    while (isWanted() && !this.hasAll && this.failure === "" && !this.#ended.signal.aborted) await this.loadOlder();
  }

  close(): void {
    clearTimeout(this.#refresh);
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    const { sessionId } = this;
    const { signal } = this.#ended;
    await follow({
      signal,
      read: async (whileVisible) => {
        if (this.session === undefined) await this.#open();
        else await this.refresh();
        const offset = this.events.at(-1)?.sequence ?? 0;
        this.#setState("live");
        let rested = performance.now();
        const { sessions } = this.#daemon.client;
        for await (const event of sessions.streamEvents({ sessionId, offset }, { signal: whileVisible })) {
          this.#take(event);
          if (performance.now() - rested < sliceMs) continue;
          await breathe();
          rested = performance.now();
        }
      },
      onState: (state) => this.#setState(state),
    });
  }

  /** The last screen: how many events that is depends on how much was said piece by piece. */
  async #open(): Promise<void> {
    const { sessionId } = this;
    const session = await this.#daemon.client.sessions.get({ sessionId });
    this.session = session;
    if (session.lastSequence === 0) return;
    const offset = Math.max(0, session.lastSequence - firstPage);
    const page = await this.#daemon.client.sessions.getEvents({ sessionId, offset, limit: firstPage });
    this.events = page.events;
    for (const event of page.events) this.fold.apply(event);
    this.changed();
    const isEnough = () => this.fold.entries.rows().length >= enoughRows || this.events.length >= enoughEvents;
    while (!this.hasAll && !isEnough()) await this.#prepend(this.events.length);
  }

  async #prepend(size: number): Promise<void> {
    const first = this.events[0]?.sequence ?? 1;
    if (first <= 1) return;
    const offset = Math.max(0, first - 1 - size);
    this.isLoading = true;
    try {
      const { sessionId } = this;
      const page = await this.#daemon.client.sessions.getEvents({ sessionId, offset, limit: first - 1 - offset });
      await this.#foldAgain(page.events.filter(({ sequence }) => sequence < first));
    } finally {
      this.isLoading = false;
    }
    this.changed();
  }

  /** From the new beginning, a slice at a time; what arrives meanwhile is folded last. */
  async #foldAgain(older: readonly UniversalEvent[]): Promise<void> {
    const fold = new SessionFold();
    const before = this.events;
    const foldAll = async (events: readonly UniversalEvent[]) => {
      let rested = performance.now();
      for (let at = 0; at < events.length; at++) {
        fold.apply(events[at] as UniversalEvent);
        if (at % 64 !== 0 || performance.now() - rested < sliceMs) continue;
        await breathe();
        rested = performance.now();
      }
    };
    await foldAll(older);
    await foldAll(before);
    this.events = [...older, ...before];
    this.fold = fold;
  }

  #take(event: UniversalEvent): void {
    this.events.push(event);
    this.fold.apply(event);
    this.changed();
    if (event.type === "item.delta" || event.type === "item.started") return;
    this.#refresh ??= setTimeout(() => void this.refresh().catch(() => {}), 150);
  }

  /** What the daemon says of the session now. A failure shows itself on the stream. */
  async refresh(): Promise<void> {
    clearTimeout(this.#refresh);
    this.#refresh = undefined;
    this.session = await this.#daemon.client.sessions.get({ sessionId: this.sessionId });
    this.changed();
  }

  #setState(state: SessionLog["state"]): void {
    this.state = state;
    this.changed();
  }

  #fail(error: unknown): void {
    if (this.#daemon.locksOn(error)) return;
    this.failure = codeOf(error) === "session_deleted" ? "This session has been deleted." : messageOf(error);
    this.#setState("failed");
  }
}
