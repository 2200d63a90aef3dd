import { chmod, mkdir } from "node:fs/promises";
import { type AgentHost, type AgentUser, type InstallSettings, reapOrphans, SharedServers } from "@muster/adapters";
import { Agents } from "./agents.ts";
import { Counters } from "./counters.ts";
import type { EngineLog } from "./engine-log.ts";
import { type Durability, GroupSync } from "./event-log/index.ts";
import { Feed } from "./feed.ts";
import { secretsInEnvironment } from "./redaction.ts";
import { Sessions } from "./sessions.ts";
import { layout } from "./store/layout.ts";
import { lockDirectory, type WriterLock } from "./store/writer-lock.ts";
import type { TurnTracer } from "./tracing.ts";

export interface EngineOptions {
  dataDirectory: string;
  durability: Durability;
  keepRaw: boolean;
  retainDays?: number;
  /** Where agents work when a session does not say. */
  defaultDirectory: string;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Whom agents run as, when that is not the daemon's own user. */
  agentUser?: AgentUser;
  log: EngineLog;
  tracer?: TurnTracer;
  install?: InstallSettings;
}

/** Sessions, agents and the log: everything but HTTP. */
export class Engine {
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly feed: Feed;
  readonly counters: Counters;
  readonly durability: Durability;
  readonly #host: AgentHost;
  readonly #groupSync: GroupSync;
  readonly #closing = new AbortController();
  readonly #lock: WriterLock;

  /** Takes the data directory and brings it in order: orphans are dead and open turns closed when this resolves. */
  static async start(options: EngineOptions): Promise<Engine> {
    const places = layout(options.dataDirectory);
    for (const path of [places.root, places.sessions, places.active, places.deleted, places.lives]) {
      await mkdir(path, { recursive: true, mode: 0o700 });
    }
    // Another user's agent must reach its attachments and its program, and see nothing else on the way.
    if (options.agentUser) for (const path of [places.root, places.sessions]) await chmod(path, 0o711);
    const lock = await lockDirectory(places, options.log);
    try {
      const home = options.agentUser?.home ?? options.home;
      const found = await Agents.secrets({ env: options.env, home });
      const engine = new Engine(options, lock, [...secretsInEnvironment(options.env), ...found]);
      await reapOrphans(places.lives, options.log);
      await engine.sessions.recover();
      return engine;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private constructor(options: EngineOptions, lock: WriterLock, secrets: readonly string[]) {
    const places = layout(options.dataDirectory);
    this.#lock = lock;
    this.durability = options.durability;
    this.feed = new Feed();
    this.counters = new Counters();
    this.#groupSync = new GroupSync();
    this.#host = {
      env: options.env,
      home: options.agentUser?.home ?? options.home,
      user: options.agentUser,
      dataDirectory: options.dataDirectory,
      livesDirectory: places.lives,
      servers: new SharedServers(),
      install: { ...options.install, signal: this.#closing.signal },
      log: options.log,
    };
    this.agents = new Agents(this.#host);
    this.sessions = new Sessions({
      agents: this.agents,
      layout: places,
      host: this.#host,
      durability: options.durability,
      groupSync: this.#groupSync,
      fence: lock.fence,
      keepRaw: options.keepRaw,
      retainDays: options.retainDays,
      defaultDirectory: options.defaultDirectory,
      log: options.log,
      tracer: options.tracer,
      environmentSecrets: secrets,
      counters: this.counters,
      feed: this.feed,
    });
  }

  /** What may happen only once clients can see it: waiting messages are given to their agents. */
  begin(): void {
    this.sessions.begin();
  }

  /** Ends every turn and every agent, flushes, and lets the data directory go. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.sessions.close();
    await this.#host.servers.close();
    await this.#groupSync.close();
    await this.#lock.release();
  }
}
