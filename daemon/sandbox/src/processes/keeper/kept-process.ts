import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { settlesWithin } from "@muster/core";
import { signalGroup, startTimeOf } from "@muster/node";
import { endTree, type OpenChannel, type Owner, ownedProcesses, type TerminalSize } from "@muster/terminal";
import type { OutputStream } from "./frames.ts";
import type { EndReason, KeptEnd, KeptProcessState, StartOrder } from "./messages.ts";
import { OutputWindow, type WindowPiece } from "./output-window.ts";

export interface KeptProcessOptions {
  number: number;
  order: StartOrder;
  /** In which variable its mark is. */
  variable: string;
  /** Opens a terminal; null where there is none. */
  openPty: OpenChannel | null;
  /** Told before anything it writes. */
  onStart(identity: { pid: number; startTime: string }): void;
  onOutput(piece: WindowPiece): void;
  onEnd(end: KeptEnd): void;
}

/** Input that a process has not taken: more is not kept for it. */
const mostInputBytes = 1024 * 1024;
/** How long the rest of a process may go on politely when its first one has ended. */
const leftoverGraceMs = 500;
const limitGraceMs = 2_000;
/** Only what outlives SIGKILL can hold the pipes longer. */
const lastWordsMs = 2_000;

/** One process with its pipes or its terminal, alive without the daemon. */
export class KeptProcess {
  readonly #options: KeptProcessOptions;
  readonly #window: OutputWindow;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #face: Face;
  readonly #startTime: string;
  #reason: EndReason = "exited";
  /** A daemon that has just connected first says how far it is. */
  #isHeldBack = false;
  #ending: Promise<void> | undefined;
  /** Resolves with the news of its end. */
  readonly over: Promise<void>;
  #tellOver: () => void = () => {};
  #end: KeptEnd | undefined;

  /** Resolves when it runs; rejects with the system's error when it cannot be started. */
  static async start(options: KeptProcessOptions): Promise<KeptProcess> {
    const { order, openPty } = options;
    const started = order.pty === undefined ? await openPipes(order) : openTerminal(order, order.pty, openPty);
    return new KeptProcess(options, started);
  }

  private constructor(options: KeptProcessOptions, face: Face) {
    const { timeoutMs } = options.order;
    this.#options = options;
    this.#face = face;
    this.#startTime = startTimeOf(face.pid) ?? "";
    this.#window = new OutputWindow({
      mostBytes: options.order.outputBytes,
      onPiece: (piece) => {
        if (!this.#isHeldBack) options.onOutput(piece);
      },
      onFull: () => face.pause(),
      onRoom: () => face.resume(),
      onLimit: () => void this.#endFor("output_limit", limitGraceMs),
    });
    if (timeoutMs !== undefined) {
      this.#timer = setTimeout(() => void this.#endFor("time_limit", limitGraceMs), timeoutMs);
    }
    this.over = new Promise((resolve) => {
      this.#tellOver = resolve;
    });
    options.onStart({ pid: face.pid, startTime: this.#startTime });
    face.listen({
      onData: (stream, bytes) => this.#window.add(stream, bytes),
      onExit: (exitCode, signal) => void this.#settle(exitCode, signal),
    });
  }

  get state(): KeptProcessState {
    const { number, order } = this.#options;
    const { heldFrom } = this.#window;
    return { number, mark: order.mark, pid: this.#face.pid, startTime: this.#startTime, heldFrom, end: this.#end };
  }

  get end(): KeptEnd | undefined {
    return this.#end;
  }

  holdBack(): void {
    this.#isHeldBack = true;
  }

  /** Tells what is held from here on, and its end once more: whether the daemon before had heard it is not known. */
  resumeFrom(offset: number): void {
    this.#isHeldBack = false;
    this.#window.acknowledge(offset);
    this.#window.replay();
    if (this.#end !== undefined) this.#options.onEnd(this.#end);
  }

  acknowledge(offset: number): void {
    this.#window.acknowledge(offset);
  }

  /** False when it has no room for more input, or takes none. */
  input(bytes: Buffer): boolean {
    return this.#end === undefined && this.#face.input(bytes);
  }

  closeInput(): void {
    this.#face.closeInput();
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#end === undefined) signalGroup(this.#face.pid, signal);
  }

  /** At which place in the output the new size takes effect. */
  resize(size: TerminalSize): number {
    this.#face.resize(size);
    return this.#window.end;
  }

  /** Ends it and all it has started. */
  async endNow(graceMs: number): Promise<void> {
    if (this.#end === undefined) await this.#endFor("ended", graceMs);
  }

  /** The daemon is gone for good: nobody will take the rest. */
  drop(): void {
    this.#window.drop();
  }

  get #owner(): Owner {
    const { variable, order } = this.#options;
    const root = { pid: this.#face.pid, startTime: this.#startTime };
    return { variable, mark: order.mark, roots: [root], since: this.#startTime };
  }

  #endFor(reason: EndReason, graceMs: number): Promise<void> {
    if (this.#ending === undefined) this.#reason = reason;
    // A second wish with less patience does not wait for the first.
    const ending = endTree(this.#owner, { graceMs });
    this.#ending = ending;
    return ending;
  }

  /** The first process has ended: what it left behind is ended too, and its last words are read. */
  async #settle(exitCode: number | null, signal: string | null): Promise<void> {
    clearTimeout(this.#timer);
    await this.#ending;
    if (ownedProcesses(this.#owner).length > 0) await endTree(this.#owner, { graceMs: leftoverGraceMs });
    // Now it is at most what the pipes hold, and there is room for that.
    this.#window.open();
    await settlesWithin(this.#face.read(), lastWordsMs);
    this.#end = {
      reason: this.#reason,
      exitCode,
      signal,
      outputBytes: this.#window.end,
      endedAt: new Date().toISOString(),
      survivors: ownedProcesses(this.#owner),
    };
    if (!this.#isHeldBack) this.#options.onEnd(this.#end);
    this.#tellOver();
  }
}

/** What differs between pipes and a terminal. */
interface Face {
  readonly pid: number;
  listen(to: Listener): void;
  input(bytes: Buffer): boolean;
  closeInput(): void;
  resize(size: TerminalSize): void;
  pause(): void;
  resume(): void;
  /** Resolves when all it wrote has been read. */
  read(): Promise<void>;
}

interface Listener {
  onData(stream: OutputStream, bytes: Buffer): void;
  onExit(exitCode: number | null, signal: string | null): void;
}

async function openPipes(order: StartOrder): Promise<Face> {
  const child = spawn(order.command, [...order.args], {
    cwd: order.directory,
    env: order.environment,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    ...order.user,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const { stdin, stdout, stderr } = child;
  // Its end is told by its exit.
  for (const stream of [child, stdin, stdout, stderr]) stream.on("error", () => {});
  const closed = Promise.all([isClosed(stdout), isClosed(stderr)]);
  return {
    pid: child.pid ?? -1,
    listen({ onData, onExit }) {
      stdout.on("data", (bytes: Buffer) => onData("stdout", bytes));
      stderr.on("data", (bytes: Buffer) => onData("stderr", bytes));
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
      else child.once("exit", onExit);
    },
    input(bytes) {
      if (!stdin.writable || stdin.writableLength > mostInputBytes) return false;
      stdin.write(bytes);
      return true;
    },
    closeInput: () => void stdin.end(),
    resize: () => {},
    pause() {
      stdout.pause();
      stderr.pause();
    },
    resume() {
      stdout.resume();
      stderr.resume();
    },
    async read() {
      await closed;
    },
  };
}

function isClosed(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once("close", resolve));
}

function openTerminal(order: StartOrder, size: TerminalSize, open: OpenChannel | null): Face {
  if (open === null) throw Object.assign(new Error("No pseudo-terminal can be opened here"), { code: "ENOTERMINAL" });
  // What comes before somebody listens: an end may be as early as that.
  const early: (() => void)[] = [];
  let listener: Listener = {
    onData: (stream, bytes) => void early.push(() => listener.onData(stream, bytes)),
    onExit: (exitCode, signal) => void early.push(() => listener.onExit(exitCode, signal)),
  };
  const channel = open({
    file: order.command,
    arguments: order.args,
    cwd: order.directory,
    environment: { ...order.environment },
    size,
    user: order.user,
    onData: (bytes) => listener.onData("pty", bytes),
    onExit: (exitCode) => listener.onExit(exitCode > 128 ? null : exitCode, signalOf(exitCode)),
  });
  return {
    pid: channel.pid,
    listen(to) {
      listener = to;
      for (const tell of early.splice(0)) tell();
    },
    input(bytes) {
      channel.write(bytes);
      return true;
    },
    closeInput: () => void channel.endInput(),
    resize: (to) => channel.resize(to),
    pause: () => channel.pause(),
    resume: () => channel.resume(),
    // The channel tells the exit after the last bytes.
    read: () => Promise.resolve(),
  };
}

function signalOf(exitCode: number): string | null {
  if (exitCode <= 128) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128);
  return found?.[0] ?? null;
}
