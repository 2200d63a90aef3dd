import { Menu } from "./menu.ts";

/** A search through what was sent before: what is typed narrows it down, the newest stands first. */
export class HistorySearch {
  readonly #lines: readonly string[];
  #query = "";
  #menu: Menu;

  /** `lines` are in the order in which they were sent. */
  constructor(lines: readonly string[]) {
    this.#lines = [...new Set(lines.toReversed())];
    this.#menu = this.#found();
  }

  get query(): string {
    return this.#query;
  }

  get menu(): Menu {
    return this.#menu;
  }

  /** What Enter would take; undefined when nothing fits. */
  get chosen(): string | undefined {
    return this.#menu.chosen?.value;
  }

  type(text: string): void {
    this.#query += text;
    this.#menu = this.#found();
  }

  /** False when there is nothing left to take away. */
  backspace(): boolean {
    if (this.#query === "") return false;
    this.#query = [...this.#query].slice(0, -1).join("");
    this.#menu = this.#found();
    return true;
  }

  #found(): Menu {
    const words = this.#query.toLowerCase().split(/\s+/);
    const found = this.#lines.filter((line) => words.every((word) => line.toLowerCase().includes(word)));
    return new Menu(
      found.map((line) => ({ value: line, label: line, help: "" })),
      0,
    );
  }
}
