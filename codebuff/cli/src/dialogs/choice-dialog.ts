import { type EditorView, PromptEditor } from "../input/prompt-editor.ts";
import { wrapTextWithAnsi } from "../pi-tui.ts";
import { oneLine, printable } from "../text/printable.ts";
import type { Theme } from "../text/theme.ts";

export interface Choice<Value> {
  readonly label: string;
  readonly help?: string;
  readonly value: Value;
  /** The person writes something with it. */
  readonly takesText?: boolean;
}

export interface ChoiceOptions<Value> {
  /** What kind of question it is, in one word, where it is read out. */
  readonly spoken?: "Question" | "Permission" | "Plan";
  /** What is asked, in one line. */
  readonly title: string;
  /** What it is about: a command, a diff, a plan. */
  readonly details?: (width: number, theme: Theme) => readonly string[];
  readonly choices: readonly Choice<Value>[];
  readonly several?: boolean;
  /** Letters narrow the list down instead of choosing. */
  readonly search?: boolean;
  /** What the chosen entry is, below the list. */
  readonly preview?: (value: Value, width: number, theme: Theme) => readonly string[];
  /** What Escape does, for the hint. */
  readonly escape: string;
}

export interface Chosen<Value> {
  readonly values: readonly Value[];
  /** What was written with the choice that takes text. */
  readonly text: string;
}

/** One question with a list of answers. It stands in the editor's place. */
export class ChoiceDialog<Value> {
  readonly options: ChoiceOptions<Value>;
  /** Answers it; undefined refuses. */
  readonly settle: (chosen: Chosen<Value> | undefined) => void;
  readonly #marked = new Set<number>();
  readonly #editor: PromptEditor;
  #at = 0;

  constructor(options: ChoiceOptions<Value>, settle: (chosen: Chosen<Value> | undefined) => void) {
    this.options = options;
    this.settle = settle;
    this.#editor = new PromptEditor({ rows: () => 10, onSubmit: () => undefined });
  }

  get title(): string {
    return this.options.title;
  }

  move(by: 1 | -1): void {
    const { length } = this.#choices;
    this.#at = length === 0 ? 0 : (this.#at + by + length) % length;
  }

  /** Those that fit what was typed. */
  get #choices(): readonly Choice<Value>[] {
    const { choices, search } = this.options;
    const words = search === true ? this.#editor.text.toLowerCase().split(/\s+/) : [];
    return choices.filter(({ label, help = "" }) =>
      words.every((word) => `${label} ${help}`.toLowerCase().includes(word)),
    );
  }

  mark(): void {
    if (this.options.several !== true) return;
    if (!this.#marked.delete(this.#at)) this.#marked.add(this.#at);
  }

  /** False while the text a choice needs is missing. */
  choose(): boolean {
    const { several } = this.options;
    const choices = this.#choices;
    const current = choices[this.#at];
    if (current === undefined) return false;
    const text = this.#editor.text.trim();
    if (current.takesText === true && text === "") return false;
    const marked = [...this.#marked].sort((one, other) => one - other).flatMap((at) => choices[at] ?? []);
    const own = current.takesText === true && !marked.includes(current) ? [current] : [];
    const chosen = several === true && marked.length > 0 ? [...marked, ...own] : [current];
    this.settle({ values: chosen.map(({ value }) => value), text: current.takesText === true ? text : "" });
    return true;
  }

  refuse(): void {
    this.settle(undefined);
  }

  /** A digit chooses; other letters go to the answer of the person's own, where there is one. */
  type(sequence: string): void {
    const { choices, several, search } = this.options;
    if (search === true) {
      this.#editor.handle(sequence);
      this.#at = 0;
      return;
    }
    const current = choices[this.#at];
    const number = /^[1-9]$/.test(sequence) ? Number(sequence) - 1 : undefined;
    if (current?.takesText !== true) {
      if (sequence === " ") return this.mark();
      if (number !== undefined && choices[number] !== undefined) {
        this.#at = number;
        if (several === true) this.mark();
        else if (choices[number]?.takesText !== true) this.choose();
        return;
      }
      const own = choices.findIndex(({ takesText }) => takesText === true);
      if (own === -1 || sequence < " ") return;
      this.#at = own;
    }
    this.#editor.handle(sequence);
  }

  render(width: number, rows: number, theme: Theme): EditorView {
    const { title, details, search, preview, several } = this.options;
    const choices = this.#choices;
    const room = Math.max(3, rows - Math.min(choices.length, listRows) - 9);
    const asked = wrapTextWithAnsi(printable(title), width - 2).slice(0, titleRows);
    const head = [
      ...asked.map((line, row) => `${row === 0 ? theme.warning("?") : " "} ${theme.strong(line)}`),
      ...cutTo(details?.(width - 2, theme) ?? [], room, theme).map((line) => `  ${line}`),
    ];
    let cursor = { row: 0, column: 0 };
    if (search === true) {
      const view = this.#editor.render(width - 4);
      cursor = { row: head.length, column: view.cursor.column + 4 };
      head.push(`  ${theme.accent("/")} ${view.lines[0] ?? ""}`);
    }
    const from = Math.min(Math.max(0, this.#at - listRows + 1), Math.max(0, choices.length - listRows));
    const list: string[] = [];
    for (const [at, choice] of choices.slice(from, from + listRows).entries()) {
      const isHere = from + at === this.#at;
      if (isHere && search !== true) cursor = { row: head.length + list.length, column: 0 };
      list.push(...this.#lines(choice, from + at, width, theme));
      if (choice.takesText !== true || !isHere) continue;
      const view = this.#editor.render(width - 5);
      cursor = { row: head.length + list.length + view.cursor.row, column: view.cursor.column + 5 };
      list.push(...view.lines.map((text, row) => `   ${row === 0 ? "›" : " "} ${text}`));
    }
    if (choices.length > listRows) list.push(theme.dim(`  … ${choices.length - listRows} more`));
    const current = choices[this.#at];
    const shown = preview === undefined || current === undefined ? [] : preview(current.value, width - 2, theme);
    const below = cutTo(shown, Math.max(3, room - 2), theme).map((line) => `  ${line}`);
    const hint = several === true ? "space marks · enter answers" : "enter chooses";
    return { lines: [...head, ...list, ...below, theme.dim(`  ${hint} · esc ${this.options.escape}`)], cursor };
  }

  /** On one line, but for the one that Enter would choose: that is shown whole. */
  #lines({ label, help }: Choice<Value>, at: number, width: number, theme: Theme): string[] {
    const { several, search } = this.options;
    const isHere = at === this.#at;
    const box = several === true ? (this.#marked.has(at) ? "☒ " : "☐ ") : "";
    const lead = `${search === true ? "" : `${at + 1}. `}${box}`;
    if (isHere && search !== true) {
      const room = width - 2 - lead.length;
      const words = theme.strong(oneLine(label, room * choiceRows));
      const more = help === undefined ? "" : theme.dim(` ${oneLine(help, room * choiceRows)}`);
      const rows = wrapTextWithAnsi(`${words}${more}`, room).slice(0, choiceRows);
      const indent = " ".repeat(lead.length + 2);
      return rows.map((row, n) => (n === 0 ? `${theme.accent("▸")} ${theme.strong(lead)}${row}` : `${indent}${row}`));
    }
    const text = `${lead}${oneLine(label, width - 8)}`;
    const more = help === undefined ? "" : theme.dim(` ${oneLine(help, Math.max(0, width - text.length - 4))}`);
    return [`${isHere ? theme.accent("▸") : " "} ${isHere ? theme.strong(text) : text}${more}`];
  }
}

const listRows = 10;
const titleRows = 8;
const choiceRows = 4;

function cutTo(lines: readonly string[], room: number, theme: Theme): readonly string[] {
  return lines.length <= room
    ? lines
    : [...lines.slice(0, room - 1), theme.dim(`… ${lines.length - room + 1} more lines`)];
}
