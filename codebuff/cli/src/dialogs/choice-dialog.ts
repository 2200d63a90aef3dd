import { type EditorView, PromptEditor } from "../input/prompt-editor.ts";
import { wrapTextWithAnsi } from "../pi-tui.ts";
import { oneLine, printable } from "../text/printable.ts";
import type { Theme } from "../text/theme.ts";
import { firstRows, TextWindow, wrapLines } from "./text-window.ts";

export interface Choice<Value> {
  readonly label: string;
  readonly help?: string;
  readonly value: Value;
  /** The person writes something with it. */
  readonly takesText?: boolean;
  /** A yes: where `mustSeeEnd` is set it can be chosen when the end of the details has been on the screen. */
  readonly isYes?: boolean;
}

/** One thing to know before the answer: `why: destructive`. */
interface Fact {
  readonly name: string;
  readonly text: string;
}

export interface ChoiceOptions<Value> {
  /** What kind of question it is, in one word, where it is read out. */
  readonly spoken?: "Question" | "Permission" | "Plan";
  /** What is asked, in one line. */
  readonly title: string;
  /** Stands in place of a title that does not fit on its line; the details then have all of it. */
  readonly shortTitle?: string;
  /** Always visible, whatever gives way in a small window. */
  readonly facts?: readonly Fact[];
  readonly mustSeeEnd?: boolean;
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
  readonly #window = new TextWindow();
  /** All of it, in the dialog's whole place, while the person looks at it. */
  #pager: TextWindow | undefined;
  /** Why the last key did nothing. */
  #notice = "";
  #at = 0;

  constructor(options: ChoiceOptions<Value>, settle: (chosen: Chosen<Value> | undefined) => void) {
    this.options = options;
    this.settle = settle;
    this.#editor = new PromptEditor({ rows: () => 10, onSubmit: () => undefined });
  }

  get title(): string {
    return this.options.title;
  }

  get isPaging(): boolean {
    return this.#pager !== undefined;
  }

  /** Opens what is asked about as a whole, or closes it. */
  page(): void {
    this.#notice = "";
    this.#pager = this.#pager === undefined ? new TextWindow() : undefined;
  }

  scrollPage(pages: 1 | -1): void {
    this.#notice = "";
    (this.#pager ?? this.#window).scrollPage(pages);
  }

  move(by: 1 | -1): void {
    this.#notice = "";
    if (this.#pager !== undefined) return this.#pager.scroll(by);
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
    if (current === undefined || this.#pager !== undefined) return false;
    if (current.isYes === true && this.options.mustSeeEnd === true && !this.#window.hasShownEnd) {
      this.#notice = "not yet: pgdn shows the rest of it";
      return false;
    }
    const text = this.#editor.text.trim();
    if (current.takesText === true && text === "") return false;
    const marked = [...this.#marked].sort((one, other) => one - other).flatMap((at) => choices[at] ?? []);
    const own = current.takesText === true && !marked.includes(current) ? [current] : [];
    const chosen = several === true && marked.length > 0 ? [...marked, ...own] : [current];
    this.settle({ values: chosen.map(({ value }) => value), text: current.takesText === true ? text : "" });
    return true;
  }

  refuse(): void {
    if (this.#pager !== undefined) return this.page();
    this.settle(undefined);
  }

  /** A digit chooses; other letters go to the answer of the person's own, where there is one. */
  type(sequence: string): void {
    const { choices, several, search } = this.options;
    this.#notice = "";
    if (this.#pager !== undefined) {
      if (sequence === " ") this.#pager.scrollPage(1);
      if (sequence === "q") this.page();
      return;
    }
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

  /** At most `rows` lines. What does not fit is marked; the facts and the choice at hand give way last. */
  render(width: number, rows: number, theme: Theme): EditorView {
    const { title, shortTitle, details, search, preview, several } = this.options;
    const whole = printable(title);
    const isShort = shortTitle !== undefined && (whole.includes("\n") || whole.length > width - 2);
    const body = wrapLines(details?.(width - 2, theme) ?? [], width - 2);
    if (this.#pager !== undefined) return this.#renderPager(this.#pager, { body, whole, isShort }, width, rows, theme);
    const { list, cursor: place } = this.#list(width, rows, theme);
    const isSmall = rows < smallRows;
    const asked = firstRows(isShort ? shortTitle : whole, width - 2, isSmall ? 1 : titleRows);
    const searching = search === true ? 1 : 0;
    const leastBody = Math.min(body.length, 2);
    const spare = rows - asked.length - list.length - searching - 1;
    const facts =
      rows < tinyRows ? [] : this.#factRows(width, isSmall ? spare - leastBody : Number.POSITIVE_INFINITY, theme);
    const room = Math.max(2, spare - facts.length);
    const head = [
      ...asked.map((line, row) => `${row === 0 ? theme.warning("?") : " "} ${theme.strong(line)}`),
      ...this.#bodyLines(body, preview === undefined ? room : Math.ceil(room / 2), theme).map((line) => `  ${line}`),
      ...facts,
    ];
    let cursor = { row: head.length + place.row, column: place.column };
    if (search === true) {
      const view = this.#editor.render(width - 4);
      cursor = { row: head.length, column: view.cursor.column + 4 };
      head.push(`  ${theme.accent("/")} ${view.lines[0] ?? ""}`);
    }
    const current = this.#choices[this.#at];
    const shown = preview === undefined || current === undefined ? [] : preview(current.value, width - 2, theme);
    const below = cutTo(shown, Math.max(3, room - 2), theme).map((line) => `  ${line}`);
    const does = several === true ? "space marks · enter answers" : "enter chooses";
    const opens = body.length > 0 || isShort ? " · ctrl+o all" : "";
    const keys = [`${does}${opens} · esc ${this.options.escape}`, `${does} · esc ${this.options.escape}`];
    const fitting = keys.find((text) => text.length <= width - 2) ?? keys[1] ?? "";
    const hint = this.#notice === "" ? theme.dim(`  ${fitting}`) : theme.warning(`  ${this.#notice}`);
    return { lines: [...head, ...list, ...below, hint], cursor };
  }

  /** The choices, in a small window only some of them, and where the cursor stands among their lines. */
  #list(width: number, rows: number, theme: Theme): { list: string[]; cursor: { row: number; column: number } } {
    const choices = this.#choices;
    const room = Math.min(listRows, rows - smallestHead);
    // The line that counts the others takes a row of its own.
    const most = Math.max(rows < tinyRows ? 2 : 3, choices.length > room ? room - 1 : room);
    const from = Math.min(Math.max(0, this.#at - most + 1), Math.max(0, choices.length - most));
    const list: string[] = [];
    let cursor = { row: 0, column: 0 };
    for (const [at, choice] of choices.slice(from, from + most).entries()) {
      const isHere = from + at === this.#at;
      if (isHere) cursor = { row: list.length, column: 0 };
      list.push(...this.#lines(choice, from + at, width, theme));
      if (choice.takesText !== true || !isHere) continue;
      const view = this.#editor.render(width - 5);
      cursor = { row: list.length + view.cursor.row, column: view.cursor.column + 5 };
      list.push(...view.lines.map((text, row) => `   ${row === 0 ? "›" : " "} ${text}`));
    }
    if (choices.length === 0) list.push(theme.dim("  nothing fits"));
    if (choices.length > most) list.push(theme.dim(`  … ${choices.length - most} more`));
    return { list, cursor };
  }

  /** Each fact has a row, and what is left of `room` goes to the first that need more. */
  #factRows(width: number, room: number, theme: Theme): string[] {
    const facts = this.options.facts ?? [];
    let extra = Math.max(0, room - facts.length);
    return facts.flatMap(({ name, text }) => {
      const most = 1 + Math.min(extra, factRows - 1);
      const rows = firstRows(oneLine(text, Number.POSITIVE_INFINITY), width - name.length - 4, most);
      extra -= rows.length - 1;
      return rows.map((row, at) => `  ${theme.dim(at === 0 ? `${name}: ` : " ".repeat(name.length + 2))}${row}`);
    });
  }

  /** As much of the details as fits, and how much that is. */
  #bodyLines(body: readonly string[], room: number, theme: Theme): readonly string[] {
    if (body.length <= room) return this.#window.show(body, room).lines;
    const { lines, from, to } = this.#window.show(body, room - 1);
    return [...lines, theme.warning(`… lines ${from}–${to} of ${body.length} · pgdn · ctrl+o`)];
  }

  #renderPager(
    pager: TextWindow,
    { body, whole, isShort }: { body: readonly string[]; whole: string; isShort: boolean },
    width: number,
    rows: number,
    theme: Theme,
  ): EditorView {
    const facts = (this.options.facts ?? []).flatMap(({ name, text }) =>
      wrapLines([`${theme.dim(`${name}: `)}${oneLine(text, Number.POSITIVE_INFINITY)}`], width - 2).map(
        (row) => `  ${row}`,
      ),
    );
    const title = isShort ? [] : wrapLines(whole.split("\n"), width - 2).map((line) => `  ${theme.strong(line)}`);
    const all = [...title, ...facts, "", ...body.map((line) => `  ${line}`)];
    const { lines, from, to } = pager.show(all, rows - 1);
    if (pager.hasShownEnd) this.#window.show([], 1);
    const hint = theme.dim(oneLine(`  ${from}–${to} of ${all.length} · ↑ ↓ pgup pgdn · esc back`, width));
    return { lines: [...lines, `  ${hint}`], cursor: { row: lines.length, column: 0 } };
  }

  /** On one line, but for the one that Enter would choose: that is shown whole. */
  #lines({ label, help }: Choice<Value>, at: number, width: number, theme: Theme): string[] {
    const { several, search } = this.options;
    const isHere = at === this.#at;
    const box = several === true ? (this.#marked.has(at) ? "☒ " : "☐ ") : "";
    const lead = `${search === true ? "" : `${at + 1}. `}${box}`;
    if (isHere && search !== true) {
      const room = width - 2 - lead.length;
      const words = theme.strong(oneLine(label, (room - 4) * choiceRows));
      const more = help === undefined ? "" : theme.dim(` ${oneLine(help, room * choiceRows)}`);
      const rows = wrapTextWithAnsi(`${words}${more}`, room);
      const indent = " ".repeat(lead.length + 2);
      return rows.map((row, n) => (n === 0 ? `${theme.accent("▸")} ${theme.strong(lead)}${row}` : `${indent}${row}`));
    }
    const text = `${lead}${oneLine(label, width - 8)}`;
    const more = help === undefined ? "" : theme.dim(` ${oneLine(help, Math.max(0, width - text.length - 4))}`);
    return [`${isHere ? theme.accent("▸") : " "} ${isHere ? theme.strong(text) : text}${more}`];
  }
}

const listRows = 10;
const titleRows = 4;
const factRows = 4;
const choiceRows = 4;
/** A window with less room than this gets the shortest form of everything. */
const smallRows = 16;
/** Below this only the question and its answers fit; all else is behind one key. */
const tinyRows = 8;
/** Rows of a title, two facts, two lines of details and the hint. */
const smallestHead = 6;

function cutTo(lines: readonly string[], room: number, theme: Theme): readonly string[] {
  return lines.length <= room
    ? lines
    : [...lines.slice(0, room - 1), theme.dim(`… ${lines.length - room + 1} more lines`)];
}
