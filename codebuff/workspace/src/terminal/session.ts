import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import {
  interruptedMessage,
  type TerminalCall,
  type TerminalResult,
  type TerminalScreen,
  type TerminalStatus,
} from "@muster/codebuff-protocol";
import {
  type Environment,
  type OpenChannel,
  RunningCommand,
  Shell,
  type TerminalSize,
  type WaitOutcome,
} from "@muster/terminal";
import { aborted, orAborted } from "./abort.ts";
import { isDirectory } from "./is-directory.ts";
import { limits } from "./limits.ts";
import { commandReport, idleNote, leftoverNote, shortCommand } from "./report.ts";

export interface SessionOptions {
  id: string;
  root: string;
  /** Where its first shell begins. */
  startIn: string;
  /** Told with the first result. */
  note?: string;
  directory: string;
  /** Id of the terminal this session belongs to, and the variable that says so to its processes. */
  owner: string;
  variable: string;
  shell: string;
  open: OpenChannel;
  terminal: "pty" | "pipes";
  environment: Environment;
  size: TerminalSize;
}

export interface TerminalRunOptions {
  /** Agent mode: programs read the terminal and are left running at the limit. Otherwise they are killed there. */
  agentMode?: boolean;
  signal?: AbortSignal;
  /** Raw output as it comes, for a person to watch. */
  onOutput?(text: string): void;
  /** What the shell is given in place of the command, such as the same command in a sandbox. */
  runAs?: string;
}

/** A named terminal. It outlives its shells: a new one takes over directory and environment of the one that died. */
export class Session {
  readonly #options: SessionOptions;
  #size: TerminalSize;
  #shell: Shell | null = null;
  #starting: Promise<Shell> | null = null;
  #current: RunningCommand | null = null;
  /** The end of the current command was told to somebody. */
  #told = true;
  #cwd: string;
  #note: string | undefined;
  #environmentFile: string | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> = Promise.resolve();
  #closed = false;
  #killed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#size = options.size;
    this.#cwd = options.startIn;
    this.#note = options.note;
  }

  /** Nothing has run in it since it was killed. */
  get killed(): boolean {
    return this.#killed;
  }

  get cwd(): string {
    return this.#shell?.cwd ?? this.#cwd;
  }

  /** What the shell exported after its last command, as shell text; null before the first shell. */
  get environmentFile(): string | null {
    return this.#shell?.environmentFile ?? this.#environmentFile;
  }

  /** Calls of one session run strictly one after the other. */
  async run(call: TerminalCall, options: TerminalRunOptions): Promise<TerminalResult> {
    const ready = this.#queue;
    const turn = ready.then(() => this.#run(call, options));
    this.#queue = turn.catch(() => {});
    // One that is aborted while it waits keeps its place, where it does nothing.
    return (await orAborted(ready, options.signal)) === aborted ? notStarted(call) : turn;
  }

  async screen(): Promise<TerminalScreen> {
    const current = this.#current;
    const base = { sessionId: this.#options.id, ...this.#size };
    if (current === null) return { ...base, lines: [], cursor: { row: 0, column: 0 }, status: "completed" };
    const view = await current.screen.view();
    return { ...base, ...view, status: current.end === null ? "running" : current.end.kind, command: current.command };
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#shell?.resize(size);
    this.#current?.screen.resize(size);
  }

  /** Ends the shell and all its processes now, also under a call that is waiting. The session stays usable. */
  async kill(graceMs: number): Promise<void> {
    this.#killed = true;
    await this.#starting?.catch(() => {});
    const shell = this.#shell;
    await shell?.kill(graceMs);
    if (this.#shell === shell) this.#takeOver();
    await this.#ending;
  }

  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    await this.kill(graceMs);
    this.#current?.screen.dispose();
  }

  async #run(call: TerminalCall, options: TerminalRunOptions): Promise<TerminalResult> {
    if (this.#closed) return { ...named(call), errorMessage: `The session ${this.#options.id} has ended` };
    if (options.signal?.aborted) return notStarted(named(call));
    if (call.command !== undefined) return this.#runCommand(call, call.command, options);
    if (call.command_signal === "KILL") return this.#runKill();
    const running = this.#current;
    if (running === null || (running.end !== null && this.#told)) return this.#nothingRuns();
    if (running.end === null && call.input !== undefined) this.#shell?.type(call.input);
    if (running.end === null && call.command_signal === "CTRL_C") this.#shell?.interrupt();
    if (running.end === null && call.command_signal === "CTRL_D" && !this.#shell?.endInput()) {
      return { command: running.command, errorMessage: "CTRL_D needs a terminal, and this machine has none: use KILL" };
    }
    return this.#await(running, call, options, []);
  }

  async #runCommand(call: TerminalCall, command: string, options: TerminalRunOptions): Promise<TerminalResult> {
    const { id, root } = this.#options;
    if (this.#current !== null && this.#current.end === null) {
      const other = `"${shortCommand(this.#current.command)}" is still running in session ${id}`;
      return { command, errorMessage: `${other}. Send it input or a command_signal, or use another session_id.` };
    }
    if (command.includes("\0")) return { command, errorMessage: "A command cannot contain a NUL character" };
    const wanted = call.cwd === undefined ? undefined : resolve(root, call.cwd);
    if (wanted !== undefined && !isDirectory(wanted))
      return { command, errorMessage: `No such directory: ${call.cwd}` };

    const shell = await orAborted(this.#livingShell(), options.signal);
    if (shell === aborted || options.signal?.aborted) return notStarted(named(call));
    const notes = this.#note === undefined ? this.#leftovers() : [this.#note, ...this.#leftovers()];
    this.#note = undefined;
    const idle = idleNote(shell.takeIdleOutput());
    if (idle !== null) notes.push(idle);
    if (this.#foundDead) notes.push("The shell had ended in the meantime; this ran in a new one.");
    this.#foundDead = false;
    const lost = this.#lostDirectory ?? (isDirectory(shell.cwd) ? null : shell.cwd);
    this.#lostDirectory = null;
    const directory = wanted ?? (lost === null ? undefined : root);
    if (lost !== null) notes.push(`The directory ${lost} no longer exists; this ran in ${directory}.`);
    const running = new RunningCommand({
      command,
      startingCwd: directory ?? shell.cwd,
      interactive: options.agentMode === true,
      size: this.#size,
      terminal: this.#options.terminal,
      answer: (text) => shell.answer(text),
    });
    this.#current?.screen.dispose();
    this.#current = running;
    this.#told = false;
    shell.execute({
      running,
      text: options.runAs,
      stdin: options.agentMode ? "terminal" : "none",
      ...(directory === undefined ? {} : { directory }),
    });
    return this.#await(running, call, options, notes);
  }

  async #runKill(): Promise<TerminalResult> {
    const running = this.#current;
    await this.kill(limits.abortGraceMs);
    const notes = ["Everything in this session was killed; the next command starts a new shell."];
    if (running === null || this.#told)
      return { status: "died", sessionId: this.#options.id, cwd: this.cwd, message: notes[0] };
    return this.#report(running, { status: "died", exitCode: 137, notes, agentMode: true });
  }

  /** Waits for the current command as long as the call allows, then tells what is new. */
  async #await(
    running: RunningCommand,
    call: TerminalCall,
    options: TerminalRunOptions,
    notes: string[],
  ): Promise<TerminalResult> {
    const agentMode = options.agentMode === true;
    const seconds = (agentMode ? call.yield_seconds : undefined) ?? call.timeout_seconds;
    const typed = call.input !== undefined || call.command_signal !== undefined;
    const early = agentMode && call.yield_seconds === undefined;
    const decoder = new TextDecoder();
    if (options.onOutput) running.onOutput = (bytes) => options.onOutput?.(decoder.decode(bytes, { stream: true }));
    const outcome = await running.wait({
      limitMs: seconds === -1 ? never : seconds * 1000,
      silentMs: early && typed ? limits.quietMs : never,
      quietMs: !early ? never : typed ? limits.inputQuietMs : limits.quietMs,
      signal: options.signal,
    });
    running.onOutput = null;
    return this.#conclude(running, outcome, { agentMode, notes });
  }

  async #conclude(
    running: RunningCommand,
    outcome: WaitOutcome,
    { agentMode, notes }: { agentMode: boolean; notes: string[] },
  ): Promise<TerminalResult> {
    if (outcome === "aborted") {
      await this.kill(limits.abortGraceMs);
      notes.push("Interrupted. Everything in this session was killed.");
      return { ...this.#report(running, { status: "died", exitCode: 130, notes, agentMode }), interrupted: true };
    }
    if (outcome === "limit" && !agentMode) {
      await this.kill(limits.timeoutGraceMs);
      notes.push("It ran into its time limit and was killed with everything it had started.");
      return { ...this.#report(running, { status: "timed_out", exitCode: 124, notes, agentMode }), timedOut: true };
    }
    const end = running.end;
    if (end === null) return this.#report(running, { status: "running", notes, agentMode });
    if (end.kind === "completed" && this.#shell?.spoiled === true) {
      this.#takeOver();
      notes.push(spoiledNote);
    }
    if (end.kind === "completed")
      return this.#report(running, { status: "completed", exitCode: end.exitCode, notes, agentMode });
    this.#takeOver();
    notes.push(`The shell ended; the next command runs in a new one in ${this.cwd}.`);
    return this.#report(running, { status: "died", exitCode: end.exitCode, notes, agentMode });
  }

  #report(
    running: RunningCommand,
    how: { status: TerminalStatus; exitCode?: number; notes: string[]; agentMode: boolean },
  ): TerminalResult {
    if (how.status !== "running") this.#told = true;
    const { id, directory } = this.#options;
    return commandReport(running, { ...how, sessionId: id, cwd: this.cwd, directory });
  }

  #leftovers(): string[] {
    const before = this.#current;
    if (before === null || before.end === null || this.#told) return [];
    this.#told = true;
    return [leftoverNote(before, before.end.exitCode)];
  }

  /** A directory that was gone when a new shell had to be started in it. */
  #lostDirectory: string | null = null;

  /** The shell had died while nothing ran in it, so nobody was told yet. */
  #foundDead = false;

  #livingShell(): Promise<Shell> {
    if (this.#shell?.alive) return Promise.resolve(this.#shell);
    this.#starting ??= this.#startShell().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #startShell(): Promise<Shell> {
    this.#killed = false;
    this.#foundDead = this.#shell !== null;
    this.#takeOver();
    await this.#ending;
    if (!isDirectory(this.#cwd)) {
      this.#lostDirectory = this.#cwd;
      this.#cwd = this.#options.root;
    }
    const { open, shell: file, environment, directory, owner, variable, terminal } = this.#options;
    const mark = `${owner}.${randomBytes(8).toString("hex")}`;
    const inherited = { cwd: this.#cwd, environment, environmentFile: this.#environmentFile };
    const shell = await Shell.start({
      open,
      file,
      ...inherited,
      directory,
      mark,
      variable,
      terminal,
      size: this.#size,
    });
    this.#shell = shell;
    return shell;
  }

  /** Takes over what a dead shell knew, and ends what it left behind. */
  #takeOver(): void {
    const shell = this.#shell;
    if (shell === null) return;
    this.#cwd = shell.cwd;
    this.#environmentFile = shell.environmentFile;
    this.#shell = null;
    this.#ending = this.#ending.then(() => shell.kill(limits.timeoutGraceMs));
  }

  #nothingRuns(): TerminalResult {
    const { id } = this.#options;
    const base = { sessionId: id, cwd: this.cwd };
    const idle = this.#shell === null ? null : idleNote(this.#shell.takeIdleOutput());
    if (idle !== null) return { ...base, status: "completed", message: idle };
    return { ...base, errorMessage: `Nothing is running in session ${id}` };
  }
}

const spoiledNote =
  "PROMPT_COMMAND was made read-only; the next command runs in a new shell with the directory, the exported variables, the functions and the aliases of this one.";

const never = Number.POSITIVE_INFINITY;

function named(call: TerminalCall): TerminalResult {
  return call.command === undefined ? {} : { command: call.command };
}

/** A call that was stopped before its command ran. */
export function notStarted(asked: Pick<TerminalResult, "command">): TerminalResult {
  return { ...asked, interrupted: true, message: "The command had not started.", errorMessage: interruptedMessage };
}
