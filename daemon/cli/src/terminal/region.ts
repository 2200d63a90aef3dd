import { cutToWidth, displayWidth } from "@muster/core";

export interface Cursor {
  row: number;
  column: number;
}

const sync = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };
const eraseBelow = "\u001b[J";
// biome-ignore lint/suspicious/noControlCharactersInRegex: a style is a sequence with one
const style = /\u001b\[[0-9;]*m/g;

/**
 * The lower end of a terminal: what is finished goes into its own history, and below it stand lines that are written again
 * with every frame. Nothing above is ever touched.
 */
export class Region {
  readonly #size: { columns?: number; rows?: number };
  /** How many rows there are above the cursor. */
  #above = 0;
  #hasLive = false;

  constructor(size: { columns?: number; rows?: number }) {
    this.#size = size;
  }

  get columns(): number {
    return this.#size.columns || 80;
  }

  get rows(): number {
    return this.#size.rows || 24;
  }

  /** The bytes that add finished lines and put these below them; without a place the cursor stands at their end. */
  frame(finished: string, live: readonly string[], cursor?: Cursor): string {
    if (finished === "" && live.length === 0 && !this.#hasLive) return "";
    const hidden = Math.max(0, live.length - (this.rows - 1));
    const lines = live.slice(hidden).map((line) => fit(line, this.columns));
    const start = this.#hasLive ? `${up(this.#above)}\r${eraseBelow}` : "";
    const last = Math.max(0, lines.length - 1);
    const row = Math.min(Math.max(0, (cursor?.row ?? live.length - 1) - hidden), last);
    const place = cursor === undefined ? "" : `${up(last - row)}\r${right(Math.min(cursor.column, this.columns - 1))}`;
    this.#hasLive = lines.length > 0;
    this.#above = row;
    return `${sync.begin}${start}${finished}${lines.join("\n")}${place}${sync.end}`;
  }
}

/** A line never wraps by itself: the rows of the region would be miscounted. Styles take no room. */
function fit(line: string, columns: number): string {
  const plain = line.replaceAll(style, "");
  return displayWidth(plain) < columns ? line : cutToWidth(plain, columns - 1);
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : "";
}

function right(columns: number): string {
  return columns > 0 ? `\u001b[${columns}C` : "";
}
