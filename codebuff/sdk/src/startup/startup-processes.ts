import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { takePidLock } from "@muster/node";
import { ExitGuard } from "../exit-guard.ts";
import type { StartupProcess } from "../load/project-config.ts";
import { endRecorded, RunningProcess } from "./running-process.ts";

/** A process that has ended is not started again; how it ended is told once. */
interface Owned {
  readonly process: RunningProcess;
  readonly unlock: () => Promise<void>;
  isTold: boolean;
}

/**
 * What `codebuff.json` wants to run beside the work, such as a development server. Each runs once per project, over all
 * programs that work in it: whoever holds its lock owns it and ends it.
 */
export class StartupProcesses {
  readonly #root: string;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #guard = new ExitGuard();
  readonly #owned = new Map<string, Owned>();
  #queue: Promise<void> = Promise.resolve();
  #isSwept = false;

  constructor({ root, folder, env }: { root: string; folder: string; env: NodeJS.ProcessEnv }) {
    this.#root = root;
    this.#folder = folder;
    this.#env = env;
  }

  /** Never rejects: a process that cannot be started is told to `warn`. */
  start(processes: readonly StartupProcess[], warn: (message: string) => void): Promise<void> {
    const failed = (error: unknown) => warn(`The start-up processes cannot be started: ${String(error)}`);
    this.#queue = this.#queue.then(() => this.#startAll(processes, warn)).catch(failed);
    return this.#queue;
  }

  async close(): Promise<void> {
    await this.#queue;
    const owned = [...this.#owned.values()];
    this.#owned.clear();
    await Promise.all(
      owned.map(async ({ process, unlock }) => {
        await process.end();
        await unlock();
      }),
    );
  }

  async #startAll(processes: readonly StartupProcess[], warn: (message: string) => void): Promise<void> {
    if (!this.#isSwept) await this.#endOrphans();
    this.#isSwept = true;
    const wanted = processes.filter(({ enabled }) => enabled);
    if (wanted.length > 0) await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const one of wanted) {
      await this.#startOne(one).catch((error: unknown) => {
        warn(`The start-up process ${one.name} cannot be started: ${String(error)}`);
      });
    }
    for (const owned of this.#owned.values()) {
      const { failure } = owned.process;
      if (failure === undefined || owned.isTold) continue;
      owned.isTold = true;
      warn(failure);
    }
  }

  async #startOne(wanted: StartupProcess): Promise<void> {
    const { name, command, cwd } = wanted;
    const key = createHash("sha256")
      .update(JSON.stringify([name, command, cwd]))
      .digest("hex")
      .slice(0, 16);
    if (this.#owned.has(key)) return;
    const record = join(this.#folder, `${key}.json`);
    const lock = await takePidLock(`${record}.lock`);
    // Another program has it running.
    if (!("release" in lock)) return;
    try {
      await endRecorded(record);
      const process = await RunningProcess.start(wanted, {
        root: this.#root,
        env: this.#env,
        guard: this.#guard,
        record,
      });
      this.#owned.set(key, { process, unlock: lock.release, isTold: false });
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Ends what a killed program has left running, also what the project no longer asks for. */
  async #endOrphans(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      const record = join(this.#folder, name);
      const lock = await takePidLock(`${record}.lock`);
      if ("release" in lock) await endRecorded(record).finally(lock.release);
    }
  }
}
