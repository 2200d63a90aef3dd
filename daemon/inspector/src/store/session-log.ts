import { messageOf } from "@muster/core";
import type { Session, UniversalEvent } from "@muster/schema";
import { Observable } from "@muster/web-parts";
import type { RequestEntry } from "../model/entries.ts";
import { HeldEvents } from "../model/held-events.ts";
import { SessionFold, unseenRequests } from "../model/session-fold.ts";
import type { Daemon } from "./daemon.ts";
import { codeOf } from "./failures.ts";
import { breathe, follow } from "./follow.ts";

const firstPage = 300;
const olderPage = 2_000;
/** Rows that fill any screen, and how far back they are looked for before there is one. */
const enoughRows = 40;
const enoughEvents = 2_000;
/** How far back a message is looked for that waits in the queue. */
const farBack = 20_000;
/** How long events are folded before the browser is let in between. */
const sliceMs = 8;

/** The events of one session, the last ones first, then live; older ones when they are asked for. */
export class SessionLog extends Observable {
  readonly sessionId: string;
  readonly #daemon: Daemon;
  readonly #ended = new AbortController();
  #held = new HeldEvents();
  /** Requests that wait and were made before the first event that is held. */
  #unseen: readonly RequestEntry[] = [];
  fold = new SessionFold();
  session: Session | undefined;
  state: "opening" | "live" | "reconnecting" | "failed" = "opening";
  failure = "";
  /** Why what came before could not be read. */
  olderFailure = "";
  isLoading = false;
  #refresh: ReturnType<typeof setTimeout> | undefined;
  #loading: Promise<void> | undefined;

  constructor(daemon: Daemon, sessionId: string) {
    super();
    this.#daemon = daemon;
    this.sessionId = sessionId;
    void this.#run().catch((error: unknown) => this.#fail(error));
  }

  /** Without a hole, up to the newest. */
  get events(): readonly UniversalEvent[] {
    return this.#held.all;
  }

  get hasAll(): boolean {
    // None at all: what the session counts already may not be published yet, and comes by the stream.
    return this.#held.first === 1;
  }

  /** No more is read of what came before: there is too much of it for a page. */
  get isFull(): boolean {
    return this.#held.isFull && !this.hasAll;
  }

  /** A turn is open; where its beginning has not been read, the daemon says so. */
  get isWorking(): boolean {
    const { turnId } = this.session ?? {};
    return this.fold.openTurn !== undefined || (turnId !== undefined && !this.fold.turns.has(turnId));
  }

  /** What waits for a person, the oldest first, wherever it stands in the log. */
  pending(): RequestEntry[] {
    return [...this.#unseen.filter(({ key }) => this.fold.entries.get(key) === undefined), ...this.fold.pending()];
  }

  /** Reads what came before; resolves when it is shown. */
  loadOlder(): Promise<void> {
    if (this.hasAll || this.isFull) return Promise.resolve();
    this.olderFailure = "";
    this.#loading ??= this.#alone(() => this.#prepend(olderPage));
    return this.#loading;
  }

  /** What is shown is made anew by one at a time. */
  async #alone(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!this.#daemon.locksOn(error)) this.olderFailure = messageOf(error);
    }
    this.#loading = undefined;
    this.changed();
  }

  /** Everything, or until told otherwise. */
  async loadAll(isWanted: () => boolean): Promise<void> {
    const isMore = () => !this.hasAll && !this.isFull && this.olderFailure === "" && !this.#ended.signal.aborted;
    this.olderFailure = "";
    while (isWanted() && isMore()) await this.loadOlder();
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
        const offset = this.#held.last;
        this.#setState("live");
        void this.loadAll(() => this.fold.queued.size < (this.session?.queued ?? 0) && this.events.length < farBack);
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
    const offset = Math.max(0, session.lastSequence - firstPage);
    if (session.lastSequence > 0) {
      const page = await this.#daemon.client.sessions.getEvents({ sessionId, offset, limit: firstPage });
      this.#held = new HeldEvents(page.events);
      for (const event of page.events) this.fold.apply(event);
    }
    // Only now: whoever finds a session here goes on behind its events.
    this.session = session;
    await this.#findRequests(session);
    this.changed();
    const isEnough = () => this.fold.entries.rows().length >= enoughRows || this.events.length >= enoughEvents;
    while (!this.hasAll && !this.isFull && !isEnough()) await this.#prepend(this.events.length);
  }

  async #prepend(size: number): Promise<void> {
    const { first } = this.#held;
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
  async #foldAgain(older: readonly UniversalEvent[], from = 0): Promise<void> {
    const fold = new SessionFold();
    const before = this.events;
    const foldAll = async (events: readonly UniversalEvent[], first: number) => {
      let rested = performance.now();
      for (let at = first; at < events.length; at++) {
        fold.apply(events[at] as UniversalEvent);
        if (at % 64 !== 0 || performance.now() - rested < sliceMs) continue;
        await breathe();
        rested = performance.now();
      }
    };
    await foldAll(older, 0);
    await foldAll(before, from);
    this.#held = this.#held.changed(older, from);
    this.fold = fold;
  }

  #take(event: UniversalEvent): void {
    this.#held.push(event);
    this.fold.apply(event);
    this.changed();
    if (this.#held.isOver) this.#loading ??= this.#alone(() => this.#foldAgain([], this.#held.surplus()));
    if (event.type === "item.delta" || event.type === "item.started") return;
    this.#refresh ??= setTimeout(() => void this.refresh().catch(() => {}), 150);
  }

  /** What the daemon says of the session now. A failure shows itself on the stream. */
  async refresh(): Promise<void> {
    clearTimeout(this.#refresh);
    this.#refresh = undefined;
    const session = await this.#daemon.client.sessions.get({ sessionId: this.sessionId });
    this.session = session;
    await this.#findRequests(session);
    this.changed();
  }

  async #findRequests({ sessionId, pendingRequests }: Session): Promise<void> {
    const isAllSeen = pendingRequests <= this.fold.pending().length;
    this.#unseen = isAllSeen ? [] : unseenRequests(await this.#daemon.client.sessions.listRequests({ sessionId }));
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
