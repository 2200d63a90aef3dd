import { displayWidth } from "@muster/core";
import type { Cursor } from "./region.ts";

/** A key as Node's readline tells it. */
export interface Key {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
  meta?: boolean;
  shift?: boolean;
}

/** What a key did: `submit` means that the text is whole. */
export type Edit = "changed" | "submit" | "unused";

/**
 * The text somebody writes, several lines of it, with what was written before behind Up. It draws nothing itself: `layout`
 * gives its rows.
 */
export class LineEditor {
  #letters: string[] = [];
  #at = 0;
  readonly #history: string[];
  /** How far back in the history; 0 is the text that is being written. */
  #back = 0;
  #draft = "";
  #isPasting = false;

  constructor(history: readonly string[] = []) {
    this.#history = [...history];
  }

  get text(): string {
    return this.#letters.join("");
  }

  set text(text: string) {
    this.#letters = [...text];
    this.#at = this.#letters.length;
    this.#back = 0;
  }

  /** What stands before the cursor. */
  get before(): string {
    return this.#letters.slice(0, this.#at).join("");
  }

  /** The text is taken away and remembered. */
  take(): string {
    const { text } = this;
    if (text.trim() !== "" && this.#history.at(-1) !== text) this.#history.push(text);
    this.text = "";
    return text;
  }

  insert(text: string): void {
    const letters = [...text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replaceAll("\t", "  ")];
    this.#letters.splice(this.#at, 0, ...letters);
    this.#at += letters.length;
  }

  /** The last `length` letters before the cursor become this text. */
  replaceBefore(length: number, text: string): void {
    this.#letters.splice(this.#at - length, length);
    this.#at -= length;
    this.insert(text);
  }

  press(letters: string | undefined, key: Key): Edit {
    const { name, ctrl, meta } = key;
    if (name === "paste-start" || name === "paste-end") {
      this.#isPasting = name === "paste-start";
      return "changed";
    }
    if (this.#isPasting) {
      this.insert(name === "return" || name === "enter" ? "\n" : (letters ?? ""));
      return "changed";
    }
    if (name === "return" || name === "enter") return this.#enter(name === "enter" || meta === true);
    const edit = (ctrl ? controls : meta ? metas : plains)[name ?? ""];
    if (edit !== undefined) this.#edit(edit);
    else if (ctrl || meta || letters === undefined || !/^\P{Cc}+$/u.test(letters)) return "unused";
    else this.insert(letters);
    return "changed";
  }

  /** The rows of the text behind a prompt, and where the cursor stands in them. */
  layout(prompt: string, columns: number): { lines: string[]; cursor: Cursor } {
    const indent = " ".repeat(displayWidth(prompt));
    const lines = [prompt];
    let width = indent.length;
    let cursor: Cursor = { row: 0, column: width };
    for (const [at, letter] of [...this.#letters, ""].entries()) {
      const room = displayWidth(letter);
      if (letter !== "\n" && width + room >= columns) {
        lines.push(indent);
        width = indent.length;
      }
      if (at === this.#at) cursor = { row: lines.length - 1, column: width };
      if (letter === "\n") {
        lines.push(indent);
        width = indent.length;
      } else {
        lines.push((lines.pop() ?? "") + letter);
        width += room;
      }
    }
    return { lines, cursor };
  }

  /** A backslash before Enter, Alt-Enter and Ctrl-J go on in the next line. */
  #enter(isNewLine: boolean): Edit {
    const isEscaped = this.#letters[this.#at - 1] === "\\";
    if (isEscaped) this.replaceBefore(1, "\n");
    else if (isNewLine) this.insert("\n");
    return isEscaped || isNewLine ? "changed" : "submit";
  }

  #edit(edit: EditName): void {
    const start = this.#lineStart();
    const end = this.#lineEnd();
    switch (edit) {
      case "left":
        return this.#go(this.#at - 1);
      case "right":
        return this.#go(this.#at + 1);
      case "wordLeft":
        return this.#go(this.#wordStart());
      case "wordRight":
        return this.#go(this.#at + (/^\s*\S+/.exec(this.#letters.slice(this.#at).join(""))?.[0].length ?? 1));
      case "home":
        return this.#go(start);
      case "end":
        return this.#go(end);
      case "backspace":
        return this.#cut(this.#at - 1, this.#at);
      case "delete":
        return this.#cut(this.#at, this.#at + 1);
      case "cutStart":
        return this.#cut(start, this.#at);
      case "cutEnd":
        return this.#cut(this.#at, end);
      case "cutWord":
        return this.#cut(this.#wordStart(), this.#at);
      case "up":
        return start === 0
          ? this.#recall(1)
          : this.#go(Math.min(start - 1, this.#lineStart(start - 1) + this.#at - start));
      case "down":
        if (end === this.#letters.length) return this.#recall(-1);
        return this.#go(Math.min(end + 1 + this.#at - start, this.#lineEnd(end + 1)));
    }
  }

  #recall(step: 1 | -1): void {
    const back = this.#back + step;
    if (back < 0 || back > this.#history.length) return;
    if (this.#back === 0) this.#draft = this.text;
    this.text = back === 0 ? this.#draft : (this.#history.at(-back) ?? "");
    this.#back = back;
  }

  #go(at: number): void {
    this.#at = Math.max(0, Math.min(this.#letters.length, at));
  }

  #cut(from: number, to: number): void {
    const start = Math.max(0, from);
    this.#letters.splice(start, to - start);
    this.#at = Math.min(start, this.#letters.length);
  }

  #wordStart(): number {
    return this.#at - (/\S*\s*$/.exec(this.#letters.slice(0, this.#at).join(""))?.[0].length ?? 0);
  }

  #lineStart(at = this.#at): number {
    return at === 0 ? 0 : this.#letters.lastIndexOf("\n", at - 1) + 1;
  }

  #lineEnd(at = this.#at): number {
    const end = this.#letters.indexOf("\n", at);
    return end === -1 ? this.#letters.length : end;
  }
}

type EditName =
  | "left"
  | "right"
  | "wordLeft"
  | "wordRight"
  | "home"
  | "end"
  | "backspace"
  | "delete"
  | "cutStart"
  | "cutEnd"
  | "cutWord"
  | "up"
  | "down";

/** Key → what it does: alone, with Ctrl, with Alt. */
const plains: Readonly<Record<string, EditName>> = {
  left: "left",
  right: "right",
  home: "home",
  end: "end",
  backspace: "backspace",
  delete: "delete",
  up: "up",
  down: "down",
};
const controls: Readonly<Record<string, EditName>> = {
  a: "home",
  e: "end",
  b: "left",
  f: "right",
  h: "backspace",
  u: "cutStart",
  k: "cutEnd",
  w: "cutWord",
  p: "up",
  n: "down",
  left: "wordLeft",
  right: "wordRight",
};
const metas: Readonly<Record<string, EditName>> = { b: "wordLeft", f: "wordRight", backspace: "cutWord" };
