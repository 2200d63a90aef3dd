import { oneLine } from "../text/printable.ts";
import type { Theme } from "../text/theme.ts";

export interface MenuEntry {
  /** What takes the place of the typed prefix. */
  readonly value: string;
  readonly label: string;
  readonly help: string;
  /** A command that can be run as it is. */
  readonly isCommand?: boolean;
}

const rows = 8;

/** A list below the editor from which one entry is chosen. */
export class Menu {
  readonly entries: readonly MenuEntry[];
  /** How many characters before the cursor it completes. */
  readonly prefixLength: number;
  #chosen = 0;

  constructor(entries: readonly MenuEntry[], prefixLength: number) {
    this.entries = entries;
    this.prefixLength = prefixLength;
  }

  get chosen(): MenuEntry | undefined {
    return this.entries[this.#chosen];
  }

  move(by: 1 | -1): void {
    if (this.entries.length === 0) return;
    this.#chosen = (this.#chosen + by + this.entries.length) % this.entries.length;
  }

  render(width: number, theme: Theme): string[] {
    const from = Math.min(Math.max(0, this.#chosen - rows + 1), Math.max(0, this.entries.length - rows));
    const shown = this.entries.slice(from, from + rows);
    const most = shown.some(({ help }) => help !== "") ? 40 : Math.max(10, width - 4);
    const labels = Math.min(most, Math.max(...shown.map(({ label }) => label.length)));
    const lines = shown.map(({ label, help }, at) => {
      const isChosen = from + at === this.#chosen;
      const text =
        `${oneLine(label, labels).padEnd(labels)}  ${oneLine(help, Math.max(0, width - labels - 6))}`.trimEnd();
      return isChosen ? `${theme.accent("▸")} ${theme.strong(text)}` : `  ${theme.dim(text)}`;
    });
    const more = this.entries.length - shown.length;
    return more > 0 ? [...lines, theme.dim(`  … ${more} more`)] : lines;
  }
}
