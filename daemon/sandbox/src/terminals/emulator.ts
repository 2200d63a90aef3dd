import type { TerminalScreen, TerminalSize } from "@muster/schema/wire";
import type { Terminal } from "@xterm/headless";
import { screenOf } from "./screen-view.ts";
import { snapshotOf } from "./snapshot.ts";
import { UnfinishedEnd } from "./unfinished.ts";
import { insideOf } from "./xterm-inside.ts";

export interface EmulatorOptions {
  size: TerminalSize;
  /** Lines kept above the screen. */
  scrollback: number;
  /** What a terminal answers to a question of its program, such as where the cursor is. */
  answer(text: string): void;
}

export interface Snapshot extends TerminalSize {
  /** All output up to here is in it. */
  readonly offset: number;
  /** To be written to a fresh terminal of this size. */
  readonly text: Buffer;
}

/** The state in which a parser waits for characters (xterm 6.0.0). */
const ground = 0;

/** A terminal without a window: it reads what a program writes, and knows what is on the screen. */
export class Emulator {
  readonly #terminal: Terminal;
  readonly #scrollback: number;
  readonly #unfinished = new UnfinishedEnd();
  #offset: number;
  #title = "";
  #isReplaying = false;

  static async make(options: EmulatorOptions, from: Snapshot | undefined): Promise<Emulator> {
    const loaded = await import("@xterm/headless");
    // A CommonJS package: bundlers and Node differ in where its names are.
    const { Terminal } = "Terminal" in loaded ? loaded : (loaded as { default: typeof loaded }).default;
    const { columns, rows } = from ?? options.size;
    const { scrollback } = options;
    const terminal = new Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
    const emulator = new Emulator(terminal, options, from?.offset ?? 0);
    if (from !== undefined) await emulator.#restore(from.text);
    return emulator;
  }

  private constructor(terminal: Terminal, { scrollback, answer }: EmulatorOptions, offset: number) {
    this.#terminal = terminal;
    this.#scrollback = scrollback;
    this.#offset = offset;
    terminal.onData((text) => {
      if (!this.#isReplaying) answer(text);
    });
    terminal.onTitleChange((title) => {
      this.#title = title;
    });
  }

  /** All output up to here has been read. */
  get offset(): number {
    return this.#offset;
  }

  get title(): string {
    return this.#title;
  }

  /** Resolves when the bytes have been read. */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#terminal.write(bytes, () => {
        this.#offset += bytes.length;
        this.#unfinished.add(bytes, insideOf(this.#terminal)._inputHandler._parser.currentState !== ground);
        resolve();
      });
    });
  }

  /** The same, without answering what the program asked: it was answered when it asked. */
  async replay(bytes: Buffer): Promise<void> {
    this.#isReplaying = true;
    await this.write(bytes);
    this.#isReplaying = false;
  }

  /** Takes effect behind what was written before. */
  async resize({ columns, rows }: TerminalSize): Promise<void> {
    await this.#read();
    this.#terminal.resize(columns, rows);
  }

  async snapshot(scrollback = this.#scrollback): Promise<Snapshot> {
    await this.#read();
    const { cols: columns, rows } = this.#terminal;
    const title = this.#title === "" ? "" : `\x1b]2;${this.#title}\x07`;
    // What the parser has not understood yet is understood by the next one, together with what follows.
    const text = Buffer.concat([Buffer.from(title + snapshotOf(this.#terminal, scrollback)), this.#unfinished.bytes]);
    return { offset: this.#offset, columns, rows, text };
  }

  async screen(): Promise<TerminalScreen> {
    await this.#read();
    return { offset: this.#offset, title: this.#title, ...screenOf(this.#terminal) };
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  async #restore(text: Buffer): Promise<void> {
    const { offset } = this;
    await this.replay(text);
    this.#offset = offset;
  }

  /** Waits until all that was written has been read. */
  #read(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write("", resolve));
  }
}
