import { readdirSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment, lifeVariable, ownProgram, withDeathSignal } from "@muster/adapters";
import type { AgentUser, EngineLog } from "@muster/engine";
import type { Durability } from "@muster/log";
import type { Processes, Terminals } from "@muster/sandbox";
import { Failure } from "@muster/schema/wire";

/** What of processes this daemon offers; each may be switched off. */
export interface ProcessSettings {
  /** false: none at all. */
  processes?: boolean | undefined;
  /** false: none with a terminal. */
  terminals?: boolean | undefined;
  /** false: nothing is told of their ports. */
  ports?: boolean | undefined;
}

interface Surroundings {
  dataDirectory: string;
  defaultDirectory: string;
  durability: Durability;
  env: NodeJS.ProcessEnv;
  user: AgentUser | undefined;
  log: EngineLog;
}

/** The processes of this daemon; nothing of them is loaded before the first, or before those of a daemon before this one. */
export class RunningProcesses {
  readonly #settings: ProcessSettings;
  readonly #surroundings: Surroundings;
  readonly #directory: string;
  #opened: Promise<Processes> | undefined;
  #terminals: Terminals | undefined;

  constructor(settings: ProcessSettings, surroundings: Surroundings) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#directory = join(surroundings.dataDirectory, "processes");
  }

  /** Throws where nothing is told of ports. */
  checkPorts(): void {
    if (this.#settings.ports === false) {
      throw new Failure("processes_disabled", "This daemon was started with --no-ports");
    }
  }

  /** Throws where this daemon has none, or none with a terminal. */
  get({ terminal = false }: { terminal?: boolean } = {}): Promise<Processes> {
    const { processes, terminals } = this.#settings;
    if (processes === false) throw new Failure("processes_disabled", "This daemon was started with --no-processes");
    if (terminal && terminals === false) {
      throw new Failure("terminal_unavailable", "This daemon was started with --no-terminals");
    }
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** The terminals of processes; those of a daemon before this one are read again. */
  async terminals(): Promise<Terminals> {
    await this.get({ terminal: true });
    return this.#terminals as Terminals;
  }

  /** Takes over what a daemon before this one left, if there is any, also where none are offered any more. */
  begin(): void {
    if (!this.#hasRecords()) return;
    this.#opened ??= this.#open();
    this.#opened.catch((error: unknown) => {
      this.#surroundings.log("error", "processes of the daemon before cannot be taken over", { error: String(error) });
    });
  }

  /** The session is gone, and with it what it owned. */
  async deleteOwned(sessionId: string): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.deleteOwned(sessionId);
  }

  async close(graceMs?: number): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.close(graceMs);
    await this.#terminals?.close();
  }

  #hasRecords(): boolean {
    try {
      return readdirSync(this.#directory).length > 0;
    } catch {
      // There has never been one.
      return false;
    }
  }

  async #open(): Promise<Processes> {
    const { Processes, Terminals } = await import("@muster/sandbox");
    const { durability, defaultDirectory, env, user, log } = this.#surroundings;
    const own: Record<string, string> = user ? { HOME: user.home, USER: user.name, LOGNAME: user.name } : {};
    const program = new URL("../../../sandbox/dist/processes/keeper/main.js", import.meta.url);
    const processes = await Processes.open({
      directory: this.#directory,
      keeper: ownProgram("process-keeper", program),
      variable: lifeVariable,
      user: user && { uid: user.uid, gid: user.gid },
      durability,
      defaultDirectory,
      environment: (given, mark) => childEnvironment(env, { ...own, ...given }, mark),
      bind: (command, path) => withDeathSignal(command, { path, confined: user !== undefined }),
      log,
    });
    this.#terminals = new Terminals();
    for (const process of processes.list({ state: "running" })) {
      if (process.record.pty !== undefined) await this.#terminals.watch(process);
    }
    return processes;
  }
}
