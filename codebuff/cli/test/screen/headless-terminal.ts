import headless from "@xterm/headless";
import type { TerminalListener, TerminalPort } from "../../src/screen/terminal-port.ts";

type Xterm = InstanceType<typeof headless.Terminal>;

const keys = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  "shift+tab": "\u001b[Z",
  backspace: "\u007f",
  up: "\u001b[A",
  down: "\u001b[B",
  "alt+up": "\u001b[1;3A",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  home: "\u001b[H",
  end: "\u001b[F",
  "ctrl+c": "\u0003",
  "ctrl+d": "\u0004",
  "ctrl+g": "\u0007",
  "ctrl+o": "\u000f",
  "ctrl+r": "\u0012",
  "ctrl+t": "\u0014",
  "ctrl+v": "\u0016",
  "ctrl+enter": "\u001b[13;5u",
} as const;
export type KeyName = keyof typeof keys;

/** A terminal without a window: what is written to it can be read as a screen. */
export class HeadlessTerminal implements TerminalPort {
  readonly writes: string[] = [];
  readonly #xterm: Xterm;
  #listener: TerminalListener | undefined;
  #flushed: Promise<void> = Promise.resolve();
  stops = 0;

  constructor({ columns = 100, rows = 30 } = {}) {
    this.#xterm = new headless.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.#xterm.cols;
  }

  get rows(): number {
    return this.#xterm.rows;
  }

  get written(): string {
    return this.writes.join("");
  }

  write(data: string): void {
    this.writes.push(data);
    this.#flushed = new Promise((resolve) => this.#xterm.write(data, resolve));
  }

  start(listener: TerminalListener): void {
    this.#listener = listener;
  }

  stop(): void {
    this.#listener = undefined;
    this.stops++;
  }

  type(text: string): void {
    for (const letter of text) this.#listener?.onInput(letter);
  }

  press(...names: KeyName[]): void {
    for (const name of names) this.#listener?.onInput(keys[name]);
  }

  /** A sequence of the terminal itself: an answer, a report, a paste. */
  send(sequence: string): void {
    this.#listener?.onInput(sequence);
  }

  resize(columns: number, rows: number): void {
    this.#xterm.resize(columns, rows);
    this.#listener?.onResize();
  }

  /** What the window shows, without blank lines at its end. */
  async screen(): Promise<string> {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    return trimmed(this.#lines(active.baseY, active.baseY + this.rows)).join("\n");
  }

  /** Everything, with the scrollback; a line that the terminal wrapped is one line. */
  async everything(): Promise<string[]> {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at++) {
      const line = active.getLine(at);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped === true) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    return trimmed(lines);
  }

  /** The window as text with style runs: `{bold cyan|text}`. */
  async styled(): Promise<string> {
    await this.#flushed;
    const { active } = this.#xterm.buffer;
    const rows = Array.from({ length: this.rows }, (_, row) => this.#styledLine(active.baseY + row));
    return trimmed(rows).join("\n");
  }

  async cursor(): Promise<{ row: number; column: number }> {
    await this.#flushed;
    const { cursorX, cursorY } = this.#xterm.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  close(): void {
    this.#xterm.dispose();
  }

  #lines(from: number, to: number): string[] {
    const { active } = this.#xterm.buffer;
    return Array.from({ length: to - from }, (_, at) => active.getLine(from + at)?.translateToString(true) ?? "");
  }

  #styledLine(at: number): string {
    const line = this.#xterm.buffer.active.getLine(at);
    const end = line?.translateToString(true).length ?? 0;
    let out = "";
    let run = "";
    let style = "";
    const flush = () => {
      out += style === "" || run.trim() === "" ? run : `{${style}|${run}}`;
      run = "";
    };
    for (let column = 0; column < end; column++) {
      const cell = line?.getCell(column);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const marks = [
        cell.isBold() ? "bold" : "",
        cell.isDim() ? "dim" : "",
        cell.isItalic() ? "italic" : "",
        cell.isUnderline() ? "underlined" : "",
        cell.isStrikethrough() ? "struck" : "",
        cell.isInverse() ? "inverse" : "",
        cell.isFgDefault() ? "" : `fg${cell.getFgColor()}`,
        cell.isBgDefault() ? "" : `bg${cell.getBgColor()}`,
      ].filter((mark) => mark !== "");
      if (marks.join(" ") !== style) flush();
      style = marks.join(" ");
      run += cell.getChars() || " ";
    }
    flush();
    return out;
  }
}

function trimmed(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
