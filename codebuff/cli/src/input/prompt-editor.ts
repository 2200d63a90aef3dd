import { CURSOR_MARKER, type Editor, newEditor, visibleWidth } from "../pi-tui.ts";

export interface EditorView {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the drawn cursor is a pair of escape sequences
const drawnCursor = /\u001b\[7m([^\u001b]*)\u001b\[0m/;

/** The text the person writes: several lines, undo, words, history. It draws no frame; the cursor is the terminal's own. */
export class PromptEditor {
  readonly #editor: Editor;

  constructor({ rows, onSubmit }: { rows: () => number; onSubmit: (text: string) => void }) {
    this.#editor = newEditor(rows);
    this.#editor.onSubmit = onSubmit;
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

  addToHistory(text: string): void {
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
