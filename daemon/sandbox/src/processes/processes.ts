import { randomBytes } from "node:crypto";
import { chmod, mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { GroupSync } from "@muster/log";
import { bootId, makeDirectories } from "@muster/node";
import { Failure, type Process, type ProcessLimits, type StartProcess, type TerminalSize } from "@muster/schema/wire";
import { endTree } from "@muster/terminal";
import { KeeperLink, type KeeperListener, type Started } from "./keeper/keeper-link.ts";
import type { KeptProcessState } from "./keeper/messages.ts";
import { makeMemoryGroup, removeMemoryGroup } from "./memory-group.ts";
import type { ProcessHost } from "./process-host.ts";
import { readRecords, writeRecord } from "./process-record.ts";
import { SandboxProcess } from "./sandbox-process.ts";

export interface StartOptions extends Omit<StartProcess, "env"> {
  env?: Readonly<Record<string, string>> | undefined;
}

export interface ProcessFilter {
  owner?: string | undefined;
  state?: Process["state"] | undefined;
}

const defaultOutputBytes = 1024 ** 3;
const mostRunning = 512;
/** Of those that have ended the oldest go. */
const mostEnded = 500;
const endGraceMs = 2_000;

/** The processes that the daemon runs for its clients. */
export class Processes {
  readonly #host: ProcessHost;
  readonly #groupSync = new GroupSync();
  readonly #all = new Map<string, SandboxProcess>();
  readonly #byNumber = new Map<number, SandboxProcess>();
  readonly #starting = new Set<string>();
  #link: Promise<KeeperLink> | undefined;
  #isClosing = false;

  /** Takes over what a daemon before this one left running; what cannot be taken over is ended and told. */
  static async open(host: ProcessHost): Promise<Processes> {
    await makeDirectories(host.directory);
    await chmod(host.directory, 0o700);
    const processes = new Processes(host);
    await processes.#recover();
    return processes;
  }

  private constructor(host: ProcessHost) {
    this.#host = host;
  }

  async start(given: StartOptions & { processId?: string | undefined }): Promise<SandboxProcess> {
    const processId = given.processId ?? `p_${randomBytes(5).toString("hex")}`;
    if (processId === "run")
      throw new Failure("invalid_request", "A process cannot be called run: that is an operation");
    if (this.#isClosing) throw new Failure("shutting_down", "The daemon is shutting down");
    if (this.#all.has(processId) || this.#starting.has(processId)) {
      throw new Failure("process_exists", `There is a process ${processId}`, { processId });
    }
    const running = [...this.#all.values()].filter(({ isRunning }) => isRunning).length;
    if (running + this.#starting.size >= mostRunning) {
      throw new Failure("too_many_requests", `${mostRunning} processes are running`);
    }
    this.#starting.add(processId);
    try {
      return await this.#start(processId, given);
    } finally {
      this.#starting.delete(processId);
    }
  }

  get(processId: string): SandboxProcess {
    const found = this.#all.get(processId);
    if (found !== undefined) return found;
    throw new Failure("process_not_found", `There is no process ${processId}`, { processId });
  }

  /** Oldest first. */
  list({ owner, state }: ProcessFilter = {}): SandboxProcess[] {
    return [...this.#all.values()].filter(
      ({ view }) => (owner === undefined || view.owner === owner) && (state === undefined || view.state === state),
    );
  }

  async delete(processId: string): Promise<void> {
    const found = this.get(processId);
    await found.end(endGraceMs);
    this.#all.delete(processId);
    await found.destroy();
  }

  /** The session is gone, and with it what it owned. */
  async deleteOwned(owner: string): Promise<void> {
    await Promise.all(this.list({ owner }).map(({ record }) => this.delete(record.processId)));
  }

  /** Ends all that runs, and what holds it; what was written stays. */
  async close(graceMs = endGraceMs): Promise<void> {
    this.#isClosing = true;
    const link = await this.#link?.catch(() => undefined);
    if (link !== undefined) {
      const running = this.list({ state: "running" });
      await Promise.all(running.map((process) => process.end(graceMs)));
      await link.leave(graceMs);
    }
    await this.leave();
  }

  /** Closes the files and lets everybody live. */
  async leave(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([...this.#all.values()].map((process) => process.close()));
    await this.#groupSync.close();
  }

  async #start(processId: string, given: StartOptions): Promise<SandboxProcess> {
    const { command, args = [], directory = this.#host.defaultDirectory, owner, pty } = given;
    await checkDirectory(directory);
    const limits = { outputBytes: defaultOutputBytes, ...given.limits };
    const mark = randomBytes(16).toString("hex");
    const environment = environmentOf(this.#host.environment(given.env ?? {}, mark), pty);
    const bound = await this.#host.bind({ command, args }, environment.PATH);
    const order = await this.#grouped(bound, limits, mark);
    await this.#makeRoom();
    const createdAt = new Date().toISOString();
    const known = {
      format: 1,
      processId,
      mark,
      command,
      args,
      directory,
      owner,
      pty,
      firstSize: pty,
      limits,
      createdAt,
    } as const;
    const process = new SandboxProcess(this.#host, this.#groupSync, { ...known, bootId: bootId(), adopted: 0 });
    try {
      await mkdir(process.folder, { mode: 0o700 });
      // Before it exists: a crash at any moment leaves nothing that the next start would not find.
      await writeRecord(process.folder, process.record);
      await process.openLog();
      const link = await this.#keeper();
      const { timeoutMs, outputBytes } = limits;
      const { user } = this.#host;
      const started = await link.start({ ...order, mark, directory, environment, user, pty, timeoutMs, outputBytes });
      this.#enter(link, started, process);
      await process.begin(link, started);
    } catch (error) {
      await process.destroy();
      await removeMemoryGroup(mark);
      throw failureOf(error, command);
    }
    return process;
  }

  async #grouped(
    bound: { command: string; args: readonly string[] },
    { memoryBytes }: ProcessLimits,
    mark: string,
  ): Promise<{ command: string; args: readonly string[] }> {
    if (memoryBytes === undefined) return bound;
    const group = await makeMemoryGroup(mark, memoryBytes, this.#host.user);
    return group.wrap(bound.command, bound.args);
  }

  /** News of it may have come already: they came with the same connection, and wait for nobody. */
  #enter(_link: KeeperLink, { number }: Pick<Started, "number">, process: SandboxProcess): void {
    this.#byNumber.set(number, process);
    this.#all.set(process.record.processId, process);
    for (const news of this.#early.get(number) ?? []) news(process);
    this.#early.delete(number);
  }

  /** News of processes whose start is still on its way to us. */
  readonly #early = new Map<number, ((process: SandboxProcess) => void)[]>();

  #tell(number: number, news: (process: SandboxProcess) => void): void {
    const process = this.#byNumber.get(number);
    if (process !== undefined) return news(process);
    this.#early.set(number, [...(this.#early.get(number) ?? []), news]);
  }

  #keeper(): Promise<KeeperLink> {
    const { directory, keeper: program, variable } = this.#host;
    this.#link ??= KeeperLink.open(directory, { program, variable, listener: this.#listener }).catch((error) => {
      this.#link = undefined;
      throw error;
    });
    return this.#link;
  }

  readonly #listener: KeeperListener = {
    onOutput: (frame) => this.#tell(frame.number, (process) => process.takeOutput(frame)),
    onEnded: (number, end) => this.#tell(number, (process) => process.takeEnd(end)),
    onResized: ({ number, size }) => this.#tell(number, (process) => process.takeSize(size)),
    onLost: () => void this.#onLost(),
  };

  /** What held the processes is gone: they are ended, and that is told. */
  async #onLost(): Promise<void> {
    this.#link = undefined;
    this.#byNumber.clear();
    this.#host.log("error", "the keeper of the processes is gone; what it held is ended", {});
    await Promise.all(this.list({ state: "running" }).map((process) => this.#lose(process)));
  }

  async #lose(process: SandboxProcess): Promise<void> {
    const { mark, root, bootId: boot, processId } = process.record;
    // After another start of the machine its number may be a stranger's, and nothing of it is left.
    if (boot === bootId()) {
      const { variable } = this.#host;
      await endTree({ variable, mark, ...(root && { roots: [root], since: root.startTime }) }, { graceMs: 0 });
    }
    this.#host.log("warn", "a process is lost, and what was left of it ended", { processId });
    await process.lose();
  }

  async #recover(): Promise<void> {
    const { directory } = this.#host;
    const { records, torn } = await readRecords(directory);
    for (const name of torn) await rm(join(directory, name), { recursive: true, force: true });
    for (const record of records) {
      this.#all.set(record.processId, new SandboxProcess(this.#host, this.#groupSync, record));
    }
    const open = this.list({ state: "running" });
    const link = await KeeperLink.find(directory, this.#listener);
    if (link !== undefined) this.#link = Promise.resolve(link);
    const kept = new Map(link?.found.map((state) => [state.mark, state]));
    for (const process of open) {
      const state = kept.get(process.record.mark);
      kept.delete(process.record.mark);
      if (link !== undefined && state !== undefined) await this.#adopt(link, process, state);
      else await this.#lose(process);
    }
    for (const { number } of kept.values()) {
      link?.tell({ do: "end", number, graceMs: 0 });
      link?.tell({ do: "forget", number });
    }
  }

  async #adopt(link: KeeperLink, process: SandboxProcess, state: KeptProcessState): Promise<void> {
    this.#enter(link, state, process);
    const { processId, pid } = { ...process.record, pid: state.pid };
    this.#host.log("info", "a process of the daemon before is taken over", { processId, pid });
    await process.adopt(link, state);
  }

  async #makeRoom(): Promise<void> {
    const over = this.list({ state: "ended" }).slice(0, -mostEnded);
    for (const { record } of over) await this.delete(record.processId);
  }
}

async function checkDirectory(directory: string): Promise<void> {
  // Whatever keeps it from being looked at keeps a process from running in it.
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new Failure("process_not_started", `The directory ${directory} does not exist`, { directory });
}

/** A program with a terminal is told its kind; one without is told nothing. */
function environmentOf(environment: Record<string, string>, pty: TerminalSize | undefined): Record<string, string> {
  if (pty === undefined) return environment;
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  // The terminal reads UTF-8; without a locale programs such as less take all else for binary.
  const locale: Record<string, string> = LC_ALL || LC_CTYPE || LANG ? {} : { LANG: "C.UTF-8" };
  return { TERM: "xterm-256color", COLORTERM: "truecolor", ...locale, ...environment };
}

function failureOf(error: unknown, command: string): unknown {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTERMINAL") return new Failure("terminal_unavailable", message);
  const system = [
    "ENOENT",
    "EACCES",
    "EPERM",
    "ENOEXEC",
    "E2BIG",
    "EAGAIN",
    "ENOMEM",
    "ERR_INVALID_ARG_VALUE",
    "ENOTDIR",
    "ELOOP",
  ];
  if (code === undefined || !system.includes(code)) return error;
  return new Failure("process_not_started", `${command} cannot be started: ${message}`, { reason: code });
}
