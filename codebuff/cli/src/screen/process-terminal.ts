import type { Io } from "../io.ts";
import { StdinBuffer } from "../pi-tui.ts";
import type { TerminalListener, TerminalPort } from "./terminal-port.ts";

type Input = Io["stdin"] & { setRawMode?: (raw: boolean) => void };
type Output = Io["stdout"] & { rows?: number };

/** The person's terminal: keys as they are pressed, pastes in brackets, focus told, colours of the background asked. */
export class ProcessTerminal implements TerminalPort {
  readonly #input: Input;
  readonly #output: Output;
  #stop: (() => void) | undefined;
  #hasKitty = false;

  constructor({ stdin, stdout }: Pick<Io, "stdin" | "stdout">) {
    this.#input = stdin;
    this.#output = stdout;
  }

  get columns(): number {
    return this.#output.columns ?? 80;
  }

  get rows(): number {
    return this.#output.rows ?? 24;
  }

  write(data: string): void {
    this.#output.write(data);
  }

  start({ onInput, onResize, onEnd }: TerminalListener): void {
    const buffer = new StdinBuffer({ timeout: 10 });
    const onData = (data: Buffer | string) => buffer.process(data);
    buffer.on("data", (sequence) => {
      if (!this.#isKittyAnswer(sequence)) onInput(sequence);
    });
    buffer.on("paste", (text) => onInput(`\u001b[200~${text}\u001b[201~`));
    this.#input.setRawMode?.(true);
    this.#input.on("data", onData);
    this.#input.on("end", onEnd);
    this.#output.on("resize", onResize);
    this.#input.resume();
    this.write(begin);
    this.#stop = () => {
      this.#input.off("data", onData);
      this.#input.off("end", onEnd);
      this.#output.off("resize", onResize);
      buffer.destroy();
      this.write(this.#hasKitty ? `\u001b[<u${end}` : end);
      this.#hasKitty = false;
      this.#input.setRawMode?.(false);
      this.#input.pause();
    };
  }

  stop(): void {
    const stop = this.#stop;
    this.#stop = undefined;
    stop?.();
  }

  /** A terminal that knows the Kitty protocol can tell Ctrl-Enter from Enter. */
  #isKittyAnswer(sequence: string): boolean {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an answer of the terminal begins with one
    if (!/^\u001b\[\?\d+u$/.test(sequence)) return false;
    if (!this.#hasKitty) this.write("\u001b[>1u");
    this.#hasKitty = true;
    return true;
  }
}

/** Bracketed paste, focus reports, modified Enter keys (tmux); then two questions: Kitty keys? which background? */
const begin = "\u001b[?2004h\u001b[?1004h\u001b[>4;1m\u001b[?u\u001b]11;?\u0007";
const end = "\u001b[?2004l\u001b[?1004l\u001b[>4;0m\u001b[?25h\u001b[?7h\u001b[0m";
