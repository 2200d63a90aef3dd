import type { LineReceiver } from "../channel/line-channel.ts";
import { noStderr } from "../process/stderr-record.ts";
import type { AgentExited } from "../signals.ts";
import { SpillFile } from "./spill-file.ts";

export interface InboxOptions {
  /** Beyond this, lines wait on disk. */
  memoryBytes: number;
  spillDirectory: string;
  spillName: string;
}

/**
 * The lines of one session on a shared server. Taking a line in never waits; a session that does not read costs disk,
 * not memory, and nobody else's time.
 */
export class SessionInbox {
  readonly #options: InboxOptions;
  #receiver: LineReceiver | undefined;
  #lines: string[] = [];
  #bytes = 0;
  #spill: SpillFile | undefined;
  #paused = false;
  #exit: Omit<AgentExited, "expected"> | undefined;
  #over = false;
  /** Resolves when the agent has nothing more to say here, read or not. */
  readonly finished: Promise<void>;
  #settleFinished: () => void = () => {};

  constructor(options: InboxOptions) {
    this.#options = options;
    this.finished = new Promise((resolve) => {
      this.#settleFinished = resolve;
    });
  }

  get isFinished(): boolean {
    return this.#exit !== undefined;
  }

  open(receiver: LineReceiver): void {
    this.#receiver = receiver;
    this.#deliver();
  }

  push(line: string): void {
    if (this.#exit !== undefined) return;
    this.#lines.push(line);
    this.#bytes += line.length;
  }

  /** After the pushes of one chunk. */
  flush(): void {
    this.#deliver();
    if (this.#bytes >= this.#options.memoryBytes) this.#spillOver();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliver();
  }

  /** Nothing comes after this; the exit is delivered when everything before it has been. */
  finish(exit: Omit<AgentExited, "expected">): void {
    this.#exit ??= exit;
    this.#settleFinished();
    this.#deliver();
  }

  #deliver(): void {
    const receiver = this.#receiver;
    if (receiver === undefined || this.#over) return;
    while (!this.#paused && this.#spill?.empty === false) receiver.lines(this.#spill.take());
    if (this.#paused) return;
    if (this.#lines.length > 0) receiver.lines(this.#takeMemory());
    if (this.#paused || this.#exit === undefined) return;
    this.#over = true;
    this.#spill?.close();
    receiver.exit(this.#exit);
  }

  #spillOver(): void {
    const { spillDirectory, spillName } = this.#options;
    try {
      this.#spill ??= new SpillFile(spillDirectory, spillName);
      this.#spill.append(this.#lines);
      this.#takeMemory();
    } catch (error) {
      // A full disk ends the session it concerns; what is in memory is still delivered.
      const text = `What the agent said could not be kept: ${String(error)}`;
      this.finish({ exitCode: null, signal: null, stderr: { ...noStderr, head: text, totalLines: 1 } });
    }
  }

  #takeMemory(): string[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }
}
