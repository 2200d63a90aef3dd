import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Whoever answers: somebody at a terminal, or lines in a pipe. */
export interface Person {
  /** The next line; undefined when there will be none, or when the signal says that it is no longer needed. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined>;
  close(): void;
}

export interface PersonOptions {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  /** Ctrl-C while a line is being typed: a terminal that is read raw sends no signal. */
  onInterrupt(): void;
}

export function personAt({ stdin, stdout, onInterrupt }: PersonOptions): Person {
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  return isTerminal ? new TerminalPerson(stdin, stdout, onInterrupt) : new PipedPerson(stdin, stdout);
}

/** One reader for each line: between them the terminal is as it was, and Ctrl-C is a signal. */
class TerminalPerson implements Person {
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #onInterrupt: () => void;
  readonly #history: string[] = [];

  constructor(stdin: Readable, stdout: Writable, onInterrupt: () => void) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#onInterrupt = onInterrupt;
  }

  async ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return undefined;
    const lines = createInterface({
      input: this.#stdin,
      output: this.#stdout,
      terminal: true,
      history: [...this.#history],
    });
    lines.on("SIGINT", () => {
      this.#onInterrupt();
      if (!signal?.aborted) lines.prompt(true);
    });
    try {
      const line = await unlessAborted<string>(signal, (resolve) => {
        lines.once("line", resolve);
        lines.once("close", () => resolve(undefined));
        // Not `question`: it keeps its first line for itself.
        lines.setPrompt(prompt);
        lines.prompt();
      });
      if (line === undefined) this.#stdout.write("\n");
      else if (line.trim() !== "") this.#history.unshift(line);
      return line;
    } finally {
      lines.close();
    }
  }

  close(): void {
    this.#stdin.pause();
  }
}

/** One reader for all lines: what a pipe has sent too early is kept for the next question. */
class PipedPerson implements Person {
  readonly #lines: Interface;
  readonly #stdout: Writable;
  readonly #waiting: string[] = [];
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdout = stdout;
    this.#lines = createInterface({ input: stdin, terminal: false });
    this.#lines.on("line", (line) => {
      this.#waiting.push(line);
      this.#wake?.();
    });
    this.#lines.on("close", () => {
      this.#isOver = true;
      this.#wake?.();
    });
  }

  async ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    this.#stdout.write(prompt);
    if (this.#waiting.length === 0 && !this.#isOver && !signal?.aborted) {
      await unlessAborted(signal, (wake) => {
        this.#wake = () => wake(undefined);
      });
    }
    const line = signal?.aborted ? undefined : this.#waiting.shift();
    // Nobody else echoes what came through the pipe.
    this.#stdout.write(`${line ?? ""}\n`);
    return line;
  }

  close(): void {
    this.#lines.close();
  }
}

/** What comes first, or undefined when the signal does. Afterwards nothing of it is left on the signal, which may live long. */
function unlessAborted<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T | undefined) => void) => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(undefined);
    signal?.addEventListener("abort", onAbort, { once: true });
    begin((value) => {
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}
