import { messageOf } from "@muster/core";
import type { Session } from "@muster/schema";
import { Observable } from "@muster/web-parts";
import type { Daemon } from "./daemon.ts";
import { follow } from "./follow.ts";
import { inOneTab } from "./one-tab.ts";

const pageSize = 100;
/** So that a burst of changes is one request. */
const gatherMs = 200;
/** While nobody looks, the title still tells who waits. */
const hiddenPollMs = 10_000;

/** All sessions, the last used first, kept up to date by the stream of their changes. */
export class SessionList extends Observable {
  readonly #daemon: Daemon;
  readonly #ended = new AbortController();
  /** The tab that hears the stream tells the others. */
  readonly #tabs = new BroadcastChannel("muster.sessions");
  sessions: readonly Session[] = [];
  hasMore = false;
  state: "opening" | "live" | "reconnecting" = "opening";
  failure = "";
  #wanted = pageSize;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #poll: ReturnType<typeof setInterval>;

  constructor(daemon: Daemon) {
    super();
    this.#daemon = daemon;
    this.#poll = setInterval(() => document.hidden && this.soon(), hiddenPollMs);
    this.#tabs.onmessage = () => this.soon();
    const { signal } = this.#ended;
    void follow({
      signal,
      read: async (whileVisible) => {
        await this.load();
        this.#setState("live");
        await inOneTab("muster.sessions", whileVisible, async () => {
          await this.load();
          for await (const _ of daemon.client.events.stream({}, { signal: whileVisible })) {
            this.soon();
            this.#tabs.postMessage("changed");
          }
        });
      },
      onState: (state) => this.#setState(state),
    }).catch((error: unknown) => this.#fail(error));
  }

  get waiting(): number {
    return this.sessions.filter(({ pendingRequests }) => pendingRequests > 0).length;
  }

  async more(): Promise<void> {
    this.#wanted += pageSize;
    await this.load();
  }

  /** Reads the list again, but not more often than it can be seen. */
  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // The stream beside it fails with the same and says so.
      this.load().catch(() => {});
    }, gatherMs);
  }

  async load(): Promise<void> {
    const query = { order: "updated", limit: Math.min(this.#wanted, 1_000) } as const;
    const { sessions, hasMore } = await this.#daemon.client.sessions.list(query);
    this.sessions = sessions;
    this.hasMore = hasMore;
    document.title = this.waiting > 0 ? `(${this.waiting}) waiting · Muster` : "Muster";
    this.changed();
  }

  close(): void {
    this.#tabs.close();
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    this.#ended.abort();
  }

  #setState(state: SessionList["state"]): void {
    this.state = state;
    this.changed();
  }

  #fail(error: unknown): void {
    if (this.#daemon.locksOn(error)) return;
    this.failure = messageOf(error);
    this.changed();
  }
}
