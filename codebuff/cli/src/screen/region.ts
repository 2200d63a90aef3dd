import { truncateToWidth, visibleWidth } from "../pi-tui.ts";
import { closeLinks } from "../text/hyperlinks.ts";
import type { TerminalPort } from "./terminal-port.ts";

export interface Frame {
  /** Finished lines: written once, then the terminal's own. */
  readonly committed: readonly string[];
  /** What stands below them until the next frame. */
  readonly live: readonly string[];
  /** Where the cursor stands in the live lines. */
  readonly cursor: { readonly row: number; readonly column: number };
}

const sync = { begin: "\u001b[?2026h", end: "\u001b[?2026l" };
const wrap = { off: "\u001b[?7l", on: "\u001b[?7h" };
const eraseRight = "\u001b[K";
const eraseBelow = "\u001b[J";
/** How long a frame may be on its way to the terminal: what was painted then may not stand there as it was meant. */
const onTheWayMs = 300;

/**
 * The lower end of the terminal: committed lines scroll away into the terminal's own history, the live region below them
 * is repainted line by line. The screen is never cleared as a whole and no scroll region is set, so that nothing the
 * terminal held before is lost.
 */
export class Region {
  readonly #terminal: TerminalPort;
  #live: readonly string[] = [];
  #cursorRow = 0;
  #place = "";
  #mustRepaint = false;
  /** The width of the last frame. */
  #columns = 0;
  /** Lines that were left standing when they were committed, and when. */
  #left: readonly { readonly line: string; readonly at: number }[] = [];
  readonly #now: () => number;

  constructor(terminal: TerminalPort, now = () => performance.now()) {
    this.#terminal = terminal;
    this.#now = now;
  }

  /** The most lines a live region may have: one row stays for what is above it. */
  get maxLive(): number {
    return Math.max(1, this.#terminal.rows - 1);
  }

  paint({ committed, live, cursor }: Frame): void {
    const { columns } = this.#terminal;
    const hidden = Math.max(0, live.length - this.maxLive);
    const lines = live.slice(hidden).map((line) => fit(line, columns));
    if (lines.length === 0) lines.push("");
    const row = Math.min(Math.max(0, cursor.row - hidden), lines.length - 1);
    const column = Math.min(cursor.column, columns - 1);
    const again = this.#takeDoubtful(columns);
    const start = this.#mustRepaint ? this.#erase() : this.#toTop();
    const { out: above, standing } = this.#commit([...again, ...committed]);
    const below = this.#change(standing, lines);
    const place = `${row}:${column}`;
    const isSame = above === "" && below === "" && !start.endsWith(eraseBelow);
    if (isSame && place === this.#place) return;
    this.#live = lines;
    this.#place = place;
    this.#cursorRow = row;
    const end = up(lines.length - 1 - row) + toColumn(column);
    const body = below === "" ? down(lines.length - 1) : `${wrap.off}${below}${wrap.on}`;
    this.#terminal.write(`${sync.begin}${start}${above}${body}${end}${sync.end}`);
  }

  /** After a resize the terminal may have wrapped the live lines anew: one row up for each, the rest is erased. */
  resized(): void {
    this.#mustRepaint = true;
  }

  /** Leaves the cursor below everything; the live lines go away. */
  close(): void {
    this.#terminal.write(`${this.#erase()}${wrap.on}`);
  }

  /**
   * The terminal has become narrower, and it may have been so for some frames: it cut or wrapped their live lines, and one
   * that was then left standing as committed is not whole. It is written once more: better twice than lost.
   */
  #takeDoubtful(columns: number): string[] {
    const isNarrower = columns < this.#columns;
    this.#columns = columns;
    const since = this.#now() - onTheWayMs;
    const recent = this.#left.filter(({ at }) => at >= since);
    this.#left = isNarrower ? [] : recent;
    return isNarrower ? recent.map(({ line }) => line) : [];
  }

  #toTop(): string {
    return this.#live.length === 0 ? "" : `${up(this.#cursorRow)}\r`;
  }

  #erase(): string {
    const out = `${this.#toTop()}${eraseBelow}`;
    this.#live = [];
    this.#cursorRow = 0;
    this.#mustRepaint = false;
    return out;
  }

  /** A line that stands at the region's top already is left where it is: from now on it is the terminal's. */
  #commit(committed: readonly string[]): { out: string; standing: readonly string[] } {
    let out = "";
    let standing = this.#live;
    for (const line of committed) {
      if (standing.length > 0 && standing[0] === line && !isDisputed(line)) {
        standing = standing.slice(1);
        this.#left = [...this.#left, { line, at: this.#now() }];
        out += "\r\n";
        continue;
      }
      if (standing.length > 0) out += eraseBelow;
      standing = [];
      out += `${line}\r\n`;
    }
    return { out, standing };
  }

  /** From the top of the region: only lines that differ are written. Ends in the last line; empty when all are the same. */
  #change(before: readonly string[], after: readonly string[]): string {
    let out = "";
    let skipped = 0;
    let hasChanged = before.length !== after.length;
    for (const [at, line] of after.entries()) {
      if (at > 0 && at < before.length) skipped++;
      else if (at > 0) {
        out += `${down(skipped)}\r\n`;
        skipped = 0;
      }
      if (before[at] === line) continue;
      hasChanged = true;
      // Erasing to the right of a full line would take its last character.
      const rest = visibleWidth(line) < this.#terminal.columns ? eraseRight : "";
      out += `${down(skipped)}\r${line}${rest}`;
      skipped = 0;
    }
    if (!hasChanged) return "";
    out += down(skipped);
    if (before.length > after.length) out += `${down(1)}\r${eraseBelow}${up(1)}`;
    return out;
  }
}

/** A line that is cut is never the same as its whole, so it is written again when it is committed. */
function fit(line: string, columns: number): string {
  return visibleWidth(line) <= columns ? line : closeLinks(truncateToWidth(line, columns, "…"));
}

/** Terminals differ in how wide these are: one that takes them for wider has cut the line where we saw its end. */
function isDisputed(line: string): boolean {
  return /[\p{Extended_Pictographic}\p{Mark}\u200c\u200d]/u.test(line);
}

function up(rows: number): string {
  return rows === 0 ? "" : `\u001b[${rows}A`;
}

/**
 * By line feeds, which scroll at the bottom: a terminal that was made smaller since the last frame may have cut the lowest
 * live lines, and a cursor move that stops there would put the region's top one row into what is committed.
 */
function down(rows: number): string {
  return "\n".repeat(rows);
}

function toColumn(column: number): string {
  return column === 0 ? "\r" : `\r\u001b[${column}C`;
}
