import type { Terminal as HeadlessTerminal } from "@xterm/headless";
import type { TerminalSize } from "../channel/channel.ts";

export interface ScreenView {
  lines: string[];
  cursor: { row: number; column: number };
  columns: number;
  rows: number;
  alternate: boolean;
}

export interface ScreenOptions {
  size: TerminalSize;
  terminal: "pty" | "pipes";
  /** Types into the program what its terminal answers to a question. */
  answer(text: string): void;
}

/**
 * The screen of one command. It starts as a mere log of bytes: an emulator is made when somebody looks, when the log is
 * full, or when the program switches to full screen or asks the terminal something and waits for the answer.
 */
export class Screen {
  readonly #answer: (text: string) => void;
  readonly #pipes: boolean;
  #size: TerminalSize;
  #log: Buffer[] = [];
  #logSize = 0;
  #emulator: Promise<HeadlessTerminal> | null = null;
  #pending = 0;
  #skipped: Buffer | null = null;
  #rest: NodeJS.Timeout | null = null;
  #disposed = false;

  constructor(options: ScreenOptions) {
    this.#size = options.size;
    this.#answer = options.answer;
    this.#pipes = options.terminal === "pipes";
  }

  write(bytes: Buffer): void {
    if (this.#disposed) return;
    if (this.#emulator === null) {
      this.#log.push(Buffer.from(bytes));
      this.#logSize += bytes.length;
      if (this.#logSize > logLimit || needsTerminal.test(bytes.toString("latin1"))) void this.#start();
      return;
    }
    this.#feed(bytes);
  }

  /** What is on the screen after everything written so far. */
  async view(): Promise<ScreenView> {
    const emulator = await this.#start();
    do {
      this.#feedSkipped();
      await new Promise<void>((resolve) => emulator.write("", resolve));
    } while (this.#pending === 0 && this.#skipped !== null);
    const buffer = emulator.buffer.active;
    const lines: string[] = [];
    for (let row = 0; row < emulator.rows; row++) {
      lines.push(buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? "");
    }
    return {
      lines,
      cursor: { row: buffer.cursorY, column: buffer.cursorX },
      columns: emulator.cols,
      rows: emulator.rows,
      alternate: buffer.type === "alternate",
    };
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    void this.#emulator?.then((emulator) => emulator.resize(size.columns, size.rows));
  }

  dispose(): void {
    this.#disposed = true;
    this.#log = [];
    this.#skipped = null;
    clearTimeout(this.#rest ?? undefined);
    void this.#emulator?.then((emulator) => emulator.dispose());
  }

  #start(): Promise<HeadlessTerminal> {
    this.#emulator ??= import("@xterm/headless").then((loaded) => {
      // A CommonJS package: bundlers and Node differ in where its names are.
      const { Terminal } = "Terminal" in loaded ? loaded : (loaded as { default: typeof loaded }).default;
      const emulator = new Terminal({
        cols: this.#size.columns,
        rows: this.#size.rows,
        scrollback: 0,
        // No terminal driver stands before a pipe to add the carriage returns.
        convertEol: this.#pipes,
        allowProposedApi: true,
      });
      emulator.onData((text) => {
        if (!this.#disposed) this.#answer(text);
      });
      for (const bytes of this.#log) emulator.write(bytes);
      this.#log = [];
      return emulator;
    });
    return this.#emulator;
  }

  /** A flood is skipped down to its end: the screen shows only the last rows anyway. */
  #feed(bytes: Buffer): void {
    if (this.#pending > backlogLimit || this.#rest !== null) {
      const all = this.#skipped === null ? bytes : Buffer.concat([this.#skipped, bytes]);
      this.#skipped = Buffer.from(all.subarray(Math.max(0, all.length - skipKept)));
      return;
    }
    const copy = Buffer.from(bytes);
    this.#pending += copy.length;
    void this.#emulator?.then((emulator) => {
      if (this.#disposed) return;
      emulator.write(copy, () => {
        this.#pending -= copy.length;
        if (this.#pending === 0 && this.#skipped !== null && !this.#disposed) {
          this.#rest ??= setTimeout(() => this.#feedSkipped(), restMs);
        }
      });
    });
  }

  #feedSkipped(): void {
    clearTimeout(this.#rest ?? undefined);
    this.#rest = null;
    const skipped = this.#skipped;
    this.#skipped = null;
    if (skipped !== null) this.#feed(skipped);
  }
}

const logLimit = 256 * 1024;
const backlogLimit = 128 * 1024;
const skipKept = 16 * 1024;
/** Pause in a flood: an emulator that is always busy would delay an abort. */
const restMs = 50;
/** Alternate screen on; questions for the terminal's kind, cursor or colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it looks for
const needsTerminal = /\x1b(?:\[(?:\?(?:47|1047|1049)h|[>=]?\d*c|\??[56]n|\?u)|\]1[012];\?)/;
