import { settlesWithin } from "@muster/core";
import { SerialQueue, sendSignal } from "@muster/node";
import type { LineChannel, LineReceiver } from "../../channel/line-channel.ts";
import { StdioChannel } from "../../channel/stdio-channel.ts";
import type { SupervisedProcess } from "../../process/supervised-process.ts";
import type { AmpNative, HeardLine, SaidLine } from "../wire/native.ts";
import type { PermissionGate } from "./permission-gate.ts";

export interface AmpChannelParts {
  gate: PermissionGate;
  first: SupervisedProcess;
  /** Starts a process that goes on with a thread, or begins one. */
  start: (thread: string | undefined) => Promise<SupervisedProcess>;
  thread: () => string | undefined;
  /** Frees what all processes of the life shared. */
  release: () => Promise<void>;
}

type Exit = Parameters<LineReceiver["exit"]>[0];

/** What it prints on stderr before it ends. */
export const saysUnknownThread = (text: string) => /thread \S+ does not exist/i.test(text);

/** Amp writes a thread down up to a second after it said something, and leaves without waiting for that. */
const savesWithinMs = 1_000;

/** How long a process that goes on with a thread may be silent before it is given its message all the same. */
const patienceMs = 20_000;

/** Asked for a third of it, SIGTERM for the rest: less than the engine waits for an interrupt. */
const stopMs = 4_500;

/**
 * One life over several processes: an interrupt or a failed turn ends the process, and the next message is given to another that goes on
 * with the same thread. The life itself ends when a process ends by itself, or by `end`.
 */
export class AmpChannel implements LineChannel<AmpNative> {
  readonly #parts: AmpChannelParts;
  readonly #writes = new SerialQueue();
  #receiver: LineReceiver | undefined;
  #process: SupervisedProcess | undefined;
  #lines: StdioChannel<HeardLine> | undefined;
  /** Settled when a process that was told to stop has gone, and everything it said has been read. */
  #stopping: { done: Promise<void>; resolve: () => void } | undefined;
  #starting: Promise<void> | undefined;
  #saidAt = 0;
  #isPaused = false;
  #isEnding = false;
  #ended: Promise<void> | undefined;

  constructor(parts: AmpChannelParts) {
    this.#parts = parts;
  }

  open(receiver: LineReceiver): void {
    this.#receiver = receiver;
    this.#parts.gate.read((line) => this.#tell(line));
    this.#attach(this.#parts.first);
  }

  pause(): void {
    this.#isPaused = true;
    this.#lines?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#lines?.resume();
  }

  /** Answers and interrupts overtake a message that waits for its process. */
  async write(lines: readonly AmpNative[]): Promise<void> {
    for (const line of lines as readonly HeardLine[]) {
      if (line.type === "permission_response") this.#parts.gate.answer(line.request_id, line.decision);
      else if (line.type === "interrupt") this.#stop((process) => sendSignal(process.pid, "SIGINT"));
      else if (line.type === "end_process") this.#stop((process) => process.closeStdin());
      else await this.#writes.run(() => this.#writePrompt(line));
    }
  }

  async end(options: { graceMs?: number }): Promise<void> {
    this.#isEnding = true;
    // It ends what it has started as soon as it is there; why it could not is told by its exit.
    await this.#starting?.catch(() => {});
    const unsavedMs = this.#saidAt + savesWithinMs - Date.now();
    if (options.graceMs !== 0 && unsavedMs > 0)
      await settlesWithin(this.#process?.exited ?? Promise.resolve(), unsavedMs);
    if (this.#process === undefined) this.#exit({ exitCode: 0, signal: null, stderr: nothing });
    await this.#process?.end(options).finally(() => this.#release());
    await this.#release();
  }

  async #writePrompt(line: HeardLine): Promise<void> {
    await this.#stopping?.done;
    if (this.#isEnding) throw new Error("The agent has ended");
    if (this.#process === undefined) {
      this.#starting = this.#startNext();
      await this.#starting;
    }
    await this.#lines?.write([line]);
  }

  async #startNext(): Promise<void> {
    try {
      const thread = this.#parts.thread();
      await this.#startWith(thread);
      // Stopped before its first turn was written down.
      if (thread !== undefined && this.#process === undefined) await this.#startWith(undefined);
    } catch (error) {
      this.#exit({ exitCode: 1, signal: null, stderr: { ...nothing, tail: String(error), totalLines: 1 } });
      throw error;
    }
  }

  /** A process that goes on with a thread is heard first: it may not know the thread, and then it has ended. */
  async #startWith(thread: string | undefined): Promise<void> {
    const process = await this.#parts.start(thread);
    const speaks = new Promise<void>((resolve) => {
      this.#attach(process, { isTentative: thread !== undefined, heard: resolve });
    });
    if (this.#isEnding) await process.end({ graceMs: 0 });
    if (thread !== undefined) await settlesWithin(speaks, patienceMs);
  }

  #attach(process: SupervisedProcess, { isTentative = false, heard = () => {} } = {}): void {
    const channel = new StdioChannel<HeardLine>(process);
    this.#process = process;
    this.#lines = channel;
    if (this.#isPaused) channel.pause();
    let hasSpoken = false;
    channel.open({
      lines: (lines) => {
        hasSpoken = true;
        this.#saidAt = Date.now();
        this.#receiver?.lines(lines);
        heard();
      },
      exit: (exit) => {
        const isUnknown = isTentative && !hasSpoken && saysUnknownThread(exit.stderr.head);
        this.#processEnded(exit, { isUnknown });
        heard();
      },
    });
  }

  #processEnded(exit: Exit, { isUnknown }: { isUnknown: boolean }): void {
    const stopping = this.#stopping;
    this.#stopping = undefined;
    const goesOn = (stopping !== undefined || isUnknown) && !this.#isEnding;
    if (goesOn) this.#process = undefined;
    else this.#exit(exit);
    if (goesOn && !isUnknown) this.#tell({ type: "process_ended" });
    stopping?.resolve();
  }

  #stop(ask: (process: SupervisedProcess) => void): void {
    const process = this.#process;
    if (process === undefined || this.#stopping !== undefined) return;
    let resolve = () => {};
    const done = new Promise<void>((settle) => {
      resolve = settle;
    });
    this.#stopping = { done, resolve };
    // What survives SIGKILL is in the log.
    process.end({ graceMs: stopMs, ask: () => ask(process) }).catch(() => {});
  }

  #tell(line: SaidLine): void {
    this.#receiver?.lines([JSON.stringify(line)]);
  }

  #exit(exit: Exit): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.#isEnding = true;
    void this.#release();
    receiver?.exit(exit);
  }

  #release(): Promise<void> {
    this.#ended ??= this.#parts.release();
    return this.#ended;
  }
}

const nothing = { head: "", tail: "", truncated: false, totalLines: 0 };
