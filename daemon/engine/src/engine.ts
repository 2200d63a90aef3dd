import { chmod } from "node:fs/promises";
import {
  type AgentHost,
  type AgentUser,
  canSetDeathSignal,
  type InstallSettings,
  reapOrphans,
  SharedServers,
} from "@muster/adapters";
import { type Durability, type Framing, GroupSync } from "@muster/log";
import { makeDirectories } from "@muster/node";
import { Failure, type Query, type UninstalledAgent } from "@muster/schema/wire";
import { Agents } from "./agents.ts";
import type { Meter } from "./counters.ts";
import type { EngineLog } from "./engine-log.ts";
import { LinePage } from "./event-log/index.ts";
import { Feed } from "./feed.ts";
import { GatewayDoor, type RunningGateway } from "./gateway-door.ts";
import { LazyGateway } from "./lazy-gateway.ts";
import type { Redactor } from "./secrets/redaction.ts";
import { secretsInEnvironment } from "./secrets/secret-names.ts";
import { DirectoryHistories } from "./session/snapshots/directory-histories.ts";
import { Sessions } from "./sessions.ts";
import { layout } from "./store/layout.ts";
import { lockDirectory, type WriterLock } from "./store/writer-lock.ts";
import type { SessionTracer } from "./tracing.ts";

export interface EngineOptions {
  dataDirectory: string;
  durability: Durability;
  keepRaw: boolean;
  /** Whether the directories of sessions are recorded, so that files can be rewound; by default they are not. */
  snapshots?: boolean;
  /** How the events of a log become what its readers get; without it they get lines of JSON. */
  framing?: Framing;
  retainDays?: number;
  /** Where agents work when a session does not say. */
  defaultDirectory: string;
  env: NodeJS.ProcessEnv;
  home: string;
  /** Whom agents run as, when that is not the daemon's own user. */
  agentUser?: AgentUser;
  /** Knows every secret there is; the log is cleaned by it too. */
  redactor: Redactor;
  log: EngineLog;
  tracer?: SessionTracer;
  /** Takes the figures of all sessions and installs. */
  meter?: Meter;
  install?: InstallSettings;
  /** Starts the gateway through which agents reach their models; without it they are given the keys themselves. */
  startGateway?(door: GatewayDoor): Promise<RunningGateway>;
}

/** How often logins on this machine are looked at again: agents renew them as they work. */
const learnMs = 30_000;
const probeMs = 100;

/** Sessions, agents and the log: everything but HTTP. */
export class Engine {
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly feed: Feed;
  readonly durability: Durability;
  readonly #host: AgentHost;
  readonly #groupSync: GroupSync;
  readonly #gateway: LazyGateway | undefined;
  readonly #histories: DirectoryHistories | undefined;
  readonly #closing = new AbortController();
  readonly #lock: WriterLock;
  readonly #livesDirectory: string;
  readonly #redactor: Redactor;
  #secretsTimer: NodeJS.Timeout | undefined;
  #probeTimer: NodeJS.Timeout | undefined;

  /** Takes the data directory and brings it in order: orphans are dead and open turns closed when this resolves. */
  static async start(options: EngineOptions): Promise<Engine> {
    const places = layout(options.dataDirectory);
    for (const path of [places.root, places.sessions, places.active, places.deleted, places.lives]) {
      await makeDirectories(path);
    }
    // Another user's agent must reach its attachments and its program, and see nothing else on the way.
    if (options.agentUser) for (const path of [places.root, places.sessions]) await chmod(path, 0o711);
    const lock = await lockDirectory(places, options.log);
    try {
      const home = options.agentUser?.home ?? options.home;
      options.redactor.add(secretsInEnvironment(options.env));
      options.redactor.add(await Agents.secrets({ env: options.env, home }));
      const engine = new Engine(options, lock);
      await reapOrphans(places.lives, options.log);
      await engine.sessions.recover();
      return engine;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  private constructor(options: EngineOptions, lock: WriterLock) {
    const places = layout(options.dataDirectory);
    this.#lock = lock;
    this.#livesDirectory = places.lives;
    this.#redactor = options.redactor;
    this.durability = options.durability;
    this.feed = new Feed();
    this.#groupSync = new GroupSync();
    const { startGateway } = options;
    const door = () => new GatewayDoor(this.sessions, options.log);
    const gateway = startGateway && new LazyGateway(() => startGateway(door()));
    this.#gateway = gateway;
    const prepareGateway = async () => gateway?.ready();
    this.#host = {
      get gateway() {
        return gateway?.running;
      },
      env: options.env,
      home: options.agentUser?.home ?? options.home,
      user: options.agentUser,
      dataDirectory: options.dataDirectory,
      livesDirectory: places.lives,
      servers: new SharedServers(),
      install: { ...options.install, signal: this.#closing.signal },
      redact: (text) => options.redactor.text(text),
      log: options.log,
    };
    this.#histories = options.snapshots ? new DirectoryHistories(places.root, options.log) : undefined;
    this.agents = new Agents(this.#host, prepareGateway, options.meter);
    this.sessions = new Sessions({
      ...options,
      agents: this.agents,
      layout: places,
      host: this.#host,
      groupSync: this.#groupSync,
      fence: lock.fence,
      page: new LinePage(),
      histories: this.#histories,
      learnSecrets: () => this.#learnSecrets(),
      prepareGateway,
      feed: this.feed,
    });
  }

  /** Whether agents reach their models through the gateway. */
  get hasGateway(): boolean {
    return this.#gateway !== undefined;
  }

  /** Starts the gateway now; without it the first agent that needs it does. */
  async prepareGateway(): Promise<void> {
    await this.#gateway?.ready();
  }

  /** What may happen only once clients can see it: waiting messages are given to their agents. */
  begin(): void {
    this.sessions.begin();
    // Asked before the first agent needs to know, and not while clients wait for the first answers.
    this.#probeTimer = setTimeout(() => void canSetDeathSignal(), probeMs).unref();
    this.#secretsTimer = setInterval(() => void this.#learnSecrets(), learnMs).unref();
  }

  /** Ends every turn and every agent, flushes, and lets the data directory go. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#secretsTimer);
    clearTimeout(this.#probeTimer);
    await this.sessions.close();
    await this.#histories?.close();
    await this.#host.servers.close();
    await this.#gateway?.close();
    await this.#groupSync.close();
    await this.#lock.release();
  }

  /** Removes what was installed of an agent. Throws `agent_in_use` while one of its sessions has it running. */
  async uninstall(agent: string, { version }: Query<"agents.uninstall">): Promise<UninstalledAgent> {
    const views = [...this.sessions.loaded].map((session) => session.view());
    const atWork = views.filter((view) => view.agent === agent && !["asleep", "ended"].includes(view.state));
    if (atWork.length === 0) return await this.agents.uninstall(agent, version);
    const sessions = atWork.map(({ sessionId }) => sessionId);
    const detail = `Sessions of ${agent} are at work: ${sessions.join(", ")}; terminate them first`;
    throw new Failure("agent_in_use", detail, { agent, sessions });
  }

  /** For a close that takes too long: kills every agent at once; the close then has nothing left to wait for. */
  async killAgents(): Promise<void> {
    await reapOrphans(this.#livesDirectory, this.#host.log);
  }

  async #learnSecrets(): Promise<void> {
    try {
      this.#redactor.add(await Agents.secrets(this.#host));
    } catch (error) {
      this.#host.log("warn", "the logins on this machine could not be read", { error: String(error) });
    }
  }
}
