import { createHash } from "node:crypto";

/** One process that serves many sessions. */
export interface SharedServer {
  /** Resolves when it is over, by itself or by `end`. */
  readonly exited: Promise<void>;
  /** Resolves when nothing of it is left. */
  end(options: { graceMs?: number }): Promise<void>;
}

/** Two sessions share a process only when all of this is equal: different secrets never meet. */
export interface ServerIdentity {
  agent: string;
  version: string;
  home: string;
  providerId?: string | undefined;
  baseUrl?: string | undefined;
  credential?: string | undefined;
  env: Readonly<Record<string, string>>;
  /** Whatever else the process is started with. */
  configuration?: unknown;
}

export interface Lease<Server extends SharedServer> {
  readonly server: Server;
  /** With the last lease the server ends, now or after lingering. Calling it again changes nothing. */
  release(): Promise<void>;
}

interface Entry {
  agent: string;
  server: Promise<SharedServer>;
  leases: number;
  lingering?: NodeJS.Timeout;
}

/** The servers of all agents. A server lives as long as somebody holds a lease on it, and a little longer. */
export class SharedServers {
  readonly #lingerMs: number;
  readonly #entries = new Map<string, Entry>();
  /** Servers on their way out: a successor with the same home starts only when they are dead. */
  readonly #ending = new Map<string, Promise<void>>();
  #closed = false;

  constructor({ lingerMs = 5_000 }: { lingerMs?: number } = {}) {
    this.#lingerMs = lingerMs;
  }

  /** The server of this identity, started if there is none. Equal identities must mean the same type of server. */
  async lease<Server extends SharedServer>(
    identity: ServerIdentity,
    start: () => Promise<Server>,
  ): Promise<Lease<Server>> {
    const key = keyOf(identity);
    while (this.#ending.has(key)) await this.#ending.get(key);
    if (this.#closed) throw new Error("The shared servers are closed");
    const entry = this.#entries.get(key) ?? this.#start(key, identity.agent, start);
    clearTimeout(entry.lingering);
    entry.leases++;
    const server = (await entry.server) as Server;
    let release: Promise<void> | undefined;
    return {
      server,
      release: () => {
        release ??= this.#release(key, entry);
        return release;
      },
    };
  }

  /** For `AgentInfo.serverStatus`. */
  status(agent: string): { processes: number; sessions: number } {
    const entries = [...this.#entries.values()].filter((entry) => entry.agent === agent);
    return { processes: entries.length, sessions: entries.reduce((sum, entry) => sum + entry.leases, 0) };
  }

  /** Ends every server. No lease is given afterwards. */
  async close(options: { graceMs?: number } = {}): Promise<void> {
    this.#closed = true;
    const ends = [...this.#entries].map(([key, entry]) => this.#end(key, entry, options));
    await Promise.all([...ends, ...this.#ending.values()]);
  }

  #start(key: string, agent: string, start: () => Promise<SharedServer>): Entry {
    const entry: Entry = { agent, server: start(), leases: 0 };
    this.#entries.set(key, entry);
    const forget = () => {
      clearTimeout(entry.lingering);
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.server.then((server) => server.exited.then(forget, forget), forget);
    return entry;
  }

  async #release(key: string, entry: Entry): Promise<void> {
    entry.leases--;
    if (entry.leases > 0 || this.#entries.get(key) !== entry) return;
    if (this.#lingerMs === 0) {
      await this.#end(key, entry, {});
      return;
    }
    // Whoever survives its end is in the log of its process and in its spawn record.
    entry.lingering = setTimeout(() => this.#end(key, entry, {}).catch(() => {}), this.#lingerMs).unref();
  }

  #end(key: string, entry: Entry, options: { graceMs?: number }): Promise<void> {
    clearTimeout(entry.lingering);
    this.#entries.delete(key);
    const ended = entry.server.then(
      (server) => server.end(options),
      () => {},
    );
    const settled = ended.catch(() => {}).then(() => void this.#ending.delete(key));
    this.#ending.set(key, settled);
    return ended;
  }
}

function keyOf(identity: ServerIdentity): string {
  return createHash("sha256")
    .update(JSON.stringify(sortKeys(identity)))
    .digest("hex");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, field]) => [name, sortKeys(field)]),
  );
}
