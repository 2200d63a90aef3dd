import { CURSOR_MARKER, type Editor, newEditor, placeCursor, visibleWidth } from "../pi-tui.ts";
import { type Buffer, Vim } from "./vim/vim.ts";

export interface EditorView {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the drawn cursor is a pair of escape sequences
const drawnCursor = /\u001b\[7m([^\u001b]*)\u001b\[0m/;

/** The text the person writes: several lines, undo, words, history. It draws no frame; the cursor is the terminal's own. */
export class PromptEditor {
  readonly #editor: Editor;
  readonly #history: string[] = [];
  /** Undefined where it is edited by the usual keys alone. */
  #vim: Vim | undefined;

  constructor({ rows, onSubmit }: { rows: () => number; onSubmit: (text: string) => void }) {
    this.#editor = newEditor(rows);
    this.#editor.onSubmit = (text) => {
      this.#vim?.reset();
      onSubmit(text);
    };
  }

  get text(): string {
    return this.#editor.getExpandedText();
  }

  get isEmpty(): boolean {
    return this.#editor.getText() === "";
  }

  get isAtStart(): boolean {
    const { line, col } = this.#editor.getCursor();
    return line === 0 && col === 0;
  }

  /** The line of the cursor up to it. */
  get beforeCursor(): string {
    const { line, col } = this.#editor.getCursor();
    return (this.#editor.getLines()[line] ?? "").slice(0, col);
  }

  /** A word stands right before or after the cursor. */
  get touchesWord(): boolean {
    const { line, col } = this.#editor.getCursor();
    const text = this.#editor.getLines()[line] ?? "";
    return /\S/.test(text.slice(Math.max(0, col - 1), col + 1));
  }

  get isOneLine(): boolean {
    return this.#editor.getLines().length === 1;
  }

  set text(text: string) {
    this.#editor.setText(text);
  }

  get vimMode(): Vim["mode"] | undefined {
    return this.#vim?.mode;
  }

  setVim(isOn: boolean): void {
    this.#vim = isOn ? new Vim() : undefined;
  }

  /** Escape: from writing to the keys of vim. */
  leaveInsert(): void {
    if (this.#vim !== undefined) this.#show(this.#vim.leaveInsert(this.#buffer));
  }

  redo(): void {
    if (this.#vim !== undefined) this.#show(this.#vim.redo(this.#buffer));
  }

  /** A key in normal mode; false when it means nothing there, or there is no such mode. */
  pressVim(key: string): boolean {
    if (this.#vim?.mode !== "normal") return false;
    // What is sent before and after stands above and below, as everywhere.
    const { line } = this.#editor.getCursor();
    const isLast = line === this.#editor.getLines().length - 1;
    if ((key === "k" && line === 0) || (key === "j" && isLast)) {
      this.#editor.handleInput(key === "k" ? "\u001b[A" : "\u001b[B");
      return true;
    }
    const next = this.#vim.press(key, this.#buffer);
    if (next !== undefined) this.#show(next);
    return next !== undefined || key >= " ";
  }

  get #buffer(): Buffer {
    const { line, col } = this.#editor.getCursor();
    const lines = this.#editor.getLines();
    const above = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0);
    return { text: lines.join("\n"), at: above + col };
  }

  #show({ text, at }: Buffer): void {
    if (text !== this.#editor.getText()) this.#editor.setText(text);
    const lines = text.slice(0, at).split("\n");
    placeCursor(this.#editor, lines.length - 1, lines.at(-1)?.length ?? 0);
  }

  handle(sequence: string): void {
    this.#editor.handleInput(sequence);
  }

  insert(text: string): void {
    this.#editor.insertTextAtCursor(text);
  }

  /** The last `length` characters before the cursor become this text. */
  replaceBefore(length: number, text: string): void {
    for (let left = length; left > 0; left--) this.#editor.handleInput("\u007f");
    this.#editor.insertTextAtCursor(text);
  }

  /** What was sent before, in that order. */
  get history(): readonly string[] {
    return this.#history;
  }

  addToHistory(text: string): void {
    this.#history.push(text);
    this.#editor.addToHistory(text);
  }

  render(width: number): EditorView {
    // Without the rules above and below: a full-width line in the live region leaves ghosts when the window changes.
    const drawn = this.#editor.render(width).slice(1, -1);
    let cursor = { row: 0, column: 0 };
    const lines = drawn.map((line, row) => {
      const at = line.indexOf(CURSOR_MARKER);
      if (at === -1) return line.trimEnd();
      cursor = { row, column: visibleWidth(line.slice(0, at)) };
      return line.replace(CURSOR_MARKER, "").replace(drawnCursor, "$1").trimEnd();
    });
    return { lines, cursor };
  }
}
