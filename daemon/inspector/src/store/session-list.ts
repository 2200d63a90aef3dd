import { messageOf } from "@muster/core";
import type { Session, SessionState } from "@muster/schema";
import { Observable } from "@muster/web-parts";
import type { Daemon } from "./daemon.ts";
import { follow } from "./follow.ts";
import { inOneTab } from "./one-tab.ts";

const pageSize = 100;
/** So that a burst of changes is one request. */
const gatherMs = 200;
/** While nobody looks, the title still tells who waits. */
const hiddenPollMs = 10_000;
/** The most the daemon gives at once. */
const mostListed = 1_000;

/** Which sessions are wanted; the daemon looks for them, so that none is missed for not having been loaded. */
export interface Wanted {
  search?: string;
  state?: SessionState;
  agent?: string;
  directory?: string;
}

/** The sessions that are wanted, those that wait first, then the last used, kept up to date by the stream of changes. */
export class SessionList extends Observable {
  readonly #daemon: Daemon;
  readonly #ended = new AbortController();
  /** The tab that hears the stream tells the others. */
  readonly #tabs = new BroadcastChannel("muster.sessions");
  sessions: readonly Session[] = [];
  /** How many wait for a person, whatever is wanted. */
  waiting = 0;
  hasMore = false;
  wanted: Wanted = {};
  /** What `sessions` was loaded for. */
  shown: Wanted = {};
  /** Every agent and directory that was ever listed here, to choose from. */
  readonly agents = new Set<string>();
  readonly directories = new Set<string>();
  state: "opening" | "live" | "reconnecting" = "opening";
  failure = "";
  #most = pageSize;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The newest load: an older one that answers later is not shown. */
  #loads = 0;
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

  get isFiltered(): boolean {
    return Object.values(this.wanted).some((value) => value !== undefined);
  }

  /** Takes fields that are undefined out again. */
  want(part: Wanted): void {
    this.wanted = { ...this.wanted, ...part };
    this.#most = pageSize;
    this.changed();
    this.soon();
  }

  async more(): Promise<void> {
    this.#most += pageSize;
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
    const load = ++this.#loads;
    const { sessions: calls } = this.#daemon.client;
    const { wanted } = this;
    const [listed, waiting] = await Promise.all([
      calls.list({ ...wanted, order: "waiting", limit: Math.min(this.#most, mostListed) }),
      calls.list({ state: "waiting", limit: mostListed }),
    ]);
    if (load !== this.#loads) return;
    this.sessions = listed.sessions;
    this.shown = wanted;
    this.hasMore = listed.hasMore && this.#most < mostListed;
    this.waiting = waiting.sessions.length;
    for (const { agent, directory } of [...listed.sessions, ...waiting.sessions]) {
      this.agents.add(agent);
      if (directory !== "") this.directories.add(directory);
    }
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
