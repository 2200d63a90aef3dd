import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { settlesWithin } from "@muster/core";
import { bootId, sendSignal, startTimeOf } from "@muster/node";
import type { ModelAccess, StderrExcerpt } from "@muster/schema";
import { AgentStartFailure } from "../adapter.ts";
import type { AgentHost } from "../host.ts";
import { childEnvironment, withoutProxyHere } from "./child-environment.ts";
import { canSetDeathSignal, withDeathSignal } from "./death-signal.ts";
import { killLife, type LifeTrace, noteMembers, type SeenMembers } from "./kill-life.ts";
import { OutputPipe } from "./output-pipe.ts";
import { newMarker, removeSpawnRecord, type SpawnRecord, writeSpawnRecord } from "./spawn-record.ts";
import { StderrRecord } from "./stderr-record.ts";

export interface ProcessOptions {
  agent: string;
  sessionId?: string;
  command: string;
  args: readonly string[];
  directory: string;
  /** Added to the allow-list of the daemon's own environment. */
  env: Readonly<Record<string, string>>;
}

export interface ProcessExit {
  /** null when a signal ended it. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

export type ProcessHost = Pick<AgentHost, "env" | "livesDirectory" | "log" | "user" | "gateway">;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

interface Spawned {
  child: Child & { pid: number };
  output: OutputPipe;
}

/**
 * Starts a process of an agent in a session of its own. Its spawn record is on disk before it exists, so a crash of
 * this process at any moment leaves nothing that `reapOrphans` would not find.
 */
export async function startProcess(host: ProcessHost, options: ProcessOptions): Promise<SupervisedProcess> {
  const marker = newMarker();
  // Asks the system once, beside the record's way to the disk.
  void canSetDeathSignal();
  const record: SpawnRecord = { marker, agent: options.agent, bootId: bootId() };
  if (options.sessionId !== undefined) record.sessionId = options.sessionId;
  await writeRecord(writeSpawnRecord(host.livesDirectory, record));
  const spawned = await spawnChild(host, options, marker).catch(async (error: NodeJS.ErrnoException) => {
    await removeSpawnRecord(host.livesDirectory, marker);
    throw await spawnFailure(options, error);
  });
  // Without a start time the process is gone already; its exit comes up like any other.
  const { pid } = spawned.child;
  const startTime = await startTimeOf(pid);
  const root = startTime === undefined ? undefined : { pid, startTime };
  const supervised = new SupervisedProcess(host, spawned, { marker, root });
  if (root === undefined || supervised.over) return supervised;
  await writeRecord(writeSpawnRecord(host.livesDirectory, { ...record, root })).catch(async (error: unknown) => {
    await supervised.end({ graceMs: 0 });
    await supervised.finished();
    throw error;
  });
  // It may have died, and its record been removed, while the second version was being written.
  if (supervised.over) await supervised.gone.then(() => removeSpawnRecord(host.livesDirectory, marker));
  return supervised;
}

/** The process, and with its end that of the placeholder it was given. */
export async function releaseWithProcess(
  starting: Promise<SupervisedProcess>,
  access: Pick<ModelAccess, "release"> | undefined,
): Promise<SupervisedProcess> {
  const release = () => access?.release();
  const supervised = await starting.catch((error: unknown) => {
    release();
    throw error;
  });
  void supervised.exited.then(release);
  return supervised;
}

function writeRecord(writing: Promise<void>): Promise<void> {
  return writing.catch((error: unknown) => {
    throw new AgentStartFailure("spawn_failed", `The spawn record cannot be written: ${String(error)}`);
  });
}

async function spawnChild(host: ProcessHost, options: ProcessOptions, marker: string): Promise<Spawned> {
  const { user } = host;
  const own: Record<string, string> = user ? { HOME: user.home, USER: user.name, LOGNAME: user.name } : {};
  const given = childEnvironment(host.env, { ...own, ...options.env }, marker);
  const env = host.gateway === undefined ? given : withoutProxyHere(given);
  const run = await withDeathSignal(options, { path: env.PATH, confined: user !== undefined });
  if (user && !run.isConfined) host.log("warn", "no_new_privs cannot be set without setpriv", { user: user.name });
  const child: Child = spawn(run.command, run.args, {
    cwd: options.directory,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    uid: user?.uid,
    gid: user?.gid,
  });
  // Listens from here on: without free descriptors the child has no pipes, and its error comes at the next tick.
  const spawned = once(child, "spawn");
  // Before the first await: an exit or a broken pipe may come as early as that.
  child.stdin?.on("error", () => {});
  const output = child.stdout && new OutputPipe(child.stdout);
  await spawned;
  return { child: child as Spawned["child"], output };
}

async function spawnFailure(options: ProcessOptions, error: NodeJS.ErrnoException): Promise<AgentStartFailure> {
  const { command, directory } = options;
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const reason = isDirectory ? `${command}: ${error.message}` : `the directory ${directory} does not exist`;
  return new AgentStartFailure("spawn_failed", `The agent cannot be started: ${reason}`, { command, code: error.code });
}

/** A child process with an owner: whatever becomes of it, `gone` tells when nothing of its life is left. */
export class SupervisedProcess {
  readonly pid: number;
  readonly marker: string;
  readonly output: OutputPipe;
  /** The process itself has ended; others of its life may still be there. */
  readonly exited: Promise<ProcessExit>;
  /** Everything of this life is verified dead and its record removed. Rejects when something survives SIGKILL. */
  readonly gone: Promise<void>;
  readonly #host: ProcessHost;
  readonly #child: Child;
  readonly #life: LifeTrace;
  readonly #seen: SeenMembers = new Map();
  readonly #stderr = new StderrRecord();
  #over = false;
  #ending: Promise<void> | undefined;

  constructor(host: ProcessHost, { child, output }: Spawned, life: LifeTrace) {
    this.#host = host;
    this.#child = child;
    this.#life = life;
    this.pid = child.pid;
    this.marker = life.marker;
    this.output = output;
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    for (const emitter of [child, child.stdout, child.stderr]) {
      emitter.on("error", (error: Error) => host.log("warn", "a pipe of an agent failed", { error: error.message }));
    }
    this.exited = exitOf(child).then((exit) => {
      this.#over = true;
      return exit;
    });
    this.gone = this.exited.then(() => this.#sweep());
    // An owner that does not wait for it must not bring the daemon down; `#sweep` has written the failure to the log.
    this.gone.catch(() => {});
    void output.ended.then(() => this.#endIfSilent());
  }

  /** Resolves when nothing of the life is left and everything it said has been read. For the reader of `output`. */
  async finished(): Promise<ProcessExit> {
    const exit = await this.exited;
    // Something that survives SIGKILL is in the log; it must not hold back the news of the exit.
    await this.gone.catch(() => {});
    await this.output.drain();
    return exit;
  }

  get over(): boolean {
    return this.#over;
  }

  stderr(): StderrExcerpt {
    return this.#stderr.excerpt();
  }

  /**
   * Resolves when the pipe has taken it, however long the child does not read. Rejects once the child or the pipe is
   * gone; a child that lives on without its input is ended, because nobody could ever tell it anything again.
   */
  async write(text: string): Promise<void> {
    try {
      await this.#write(text);
    } catch (error) {
      // Whoever survives its end is in the log.
      if (!this.#over) this.end({ graceMs: 300 }).catch(() => {});
      throw error;
    }
  }

  /** The polite way to end most agents. */
  closeStdin(): void {
    if (this.#child.stdin.writable) this.#child.stdin.end();
  }

  /**
   * Ends the life: `ask` (by default closing stdin) for a third of `graceMs`, SIGTERM to its group for the rest, then
   * SIGKILL of everything that belongs to it. Resolves when all is verified dead. With `graceMs: 0` it also cuts short
   * an end that is under way.
   */
  end(options: { graceMs?: number; ask?: () => void } = {}): Promise<void> {
    if (this.#ending !== undefined && options.graceMs === 0 && !this.#over) sendSignal(-this.pid, "SIGKILL");
    this.#ending ??= this.#end(options);
    return this.#ending;
  }

  #write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child;
      if (this.#over || !stdin.writable) reject(new Error("The agent no longer takes input"));
      else stdin.write(text, (error) => (error ? reject(pipeFailure(error)) : resolve()));
    });
  }

  async #end({
    graceMs = 3_000,
    ask = () => this.closeStdin(),
  }: {
    graceMs?: number;
    ask?: () => void;
  }): Promise<void> {
    if (!this.#over) {
      await noteMembers(this.#life, this.#seen);
      if (graceMs > 0) {
        ask();
        if (!(await settlesWithin(this.exited, graceMs / 3))) {
          sendSignal(-this.pid, "SIGTERM");
          await settlesWithin(this.exited, (graceMs * 2) / 3);
        }
      }
      if (!this.#over) {
        await noteMembers(this.#life, this.#seen);
        sendSignal(this.pid, "SIGKILL");
      }
    }
    await this.gone;
  }

  /** An agent that closed its stdout can no longer speak; it would be waited for until some limit ends its turn. */
  async #endIfSilent(): Promise<void> {
    // Whoever survives its end is in the log.
    if (!(await settlesWithin(this.exited, 1_000))) await this.end().catch(() => {});
  }

  async #sweep(): Promise<void> {
    // Safe although the root is gone: its number is not given away while a member of the group is left.
    sendSignal(-this.pid, "SIGKILL");
    try {
      await killLife(this.#life, { seen: this.#seen });
      await removeSpawnRecord(this.#host.livesDirectory, this.marker);
    } catch (error) {
      this.#host.log("error", "an agent's process cannot be killed", { pid: this.pid, error: String(error) });
      throw error;
    }
  }
}

function exitOf(child: Child): Promise<ProcessExit> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve({ exitCode, signal: signalCode });
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ exitCode: code, signal })));
}

function pipeFailure(cause: Error): Error {
  return new Error("The agent no longer takes input", { cause });
}
