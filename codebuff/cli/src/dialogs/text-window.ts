import { wrapTextWithAnsi } from "../pi-tui.ts";

/** A text in a window that may be smaller: what is not shown is counted, and whether its end was ever shown is known. */
export class TextWindow {
  #from = 0;
  #height = 1;
  #length = 0;
  #hasShownEnd = false;

  /** Its last line has been on the screen. */
  get hasShownEnd(): boolean {
    return this.#hasShownEnd;
  }

  scroll(by: number): void {
    const last = Math.max(0, this.#length - this.#height);
    this.#from = Math.min(last, Math.max(0, this.#from + by));
  }

  scrollPage(pages: number): void {
    this.scroll(pages * Math.max(1, this.#height - 1));
  }

  /** The lines that stand in the window now, and the numbers of the first and the last of them. */
  show(lines: readonly string[], height: number): { lines: readonly string[]; from: number; to: number } {
    this.#length = lines.length;
    this.#height = Math.max(1, height);
    this.scroll(0);
    const to = Math.min(lines.length, this.#from + this.#height);
    if (to === lines.length) this.#hasShownEnd = true;
    return { lines: lines.slice(this.#from, to), from: this.#from + 1, to };
  }
}

/** Lines cut into rows of this width; nothing of them is left out. */
export function wrapLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, Math.max(1, width))));
}

/** The first rows of a text; where it goes on, the last of them ends with a mark. */
export function firstRows(text: string, width: number, most: number): string[] {
  const rows = wrapTextWithAnsi(text, Math.max(1, width));
  if (rows.length <= most) return rows;
  const shown = rows.slice(0, Math.max(1, most));
  const last = shown.at(-1) ?? "";
  return [...shown.slice(0, -1), `${last.trimEnd().slice(0, Math.max(0, width - 2))} …`];
}
