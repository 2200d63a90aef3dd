import { itemLines } from "../blocks/item-lines.ts";
import { MarkdownStream } from "../blocks/markdown-stream.ts";
import type { Chat } from "../chat/chat.ts";
import { wrapTextWithAnsi } from "../pi-tui.ts";
import { type Item, isDone } from "../transcript/items.ts";
import { isAsked, needsGap } from "./native-writer.ts";
import type { TerminalPort } from "./terminal-port.ts";

/** The lines below the transcript: status, queue, and the editor or a dialog. */
export interface PageFoot {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** The whole transcript on the terminal's other screen, with a scroll position of its own. */
export class PageView {
  readonly #chat: Chat;
  readonly #terminal: TerminalPort;
  /** Lines of finished items, made once for each width. */
  #known = new Map<Item, readonly string[]>();
  #knownFor = "";
  /** The text that is being written: only its last block is read again. */
  #open: { at: number; stream: MarkdownStream; finished: string[] } | undefined;
  #unfolded: boolean;
  /** Lines between the end of the transcript and the lower edge. */
  #fromEnd = 0;
  #length = 0;
  /** What was read of the session since the last frame stands above everything. */
  #hasGrownAbove = false;
  /** What stands on the screen. */
  #rows: readonly string[] = [];
  #height = 1;

  constructor(chat: Chat, terminal: TerminalPort, { unfolded }: { unfolded: boolean }) {
    this.#chat = chat;
    this.#terminal = terminal;
    this.#unfolded = unfolded;
  }

  /** Rows of the transcript in the last frame. */
  get height(): number {
    return this.#height;
  }

  /** What the line below everything says. */
  get hint(): string {
    const to = this.#length - this.#fromEnd;
    const fold = this.#unfolded ? "folds" : "unfolds";
    return `${to} of ${this.#length} lines · PgUp PgDn · ctrl+t ${fold} · ctrl+o goes back`;
  }

  open(): void {
    this.#terminal.write("\u001b[?1049h\u001b[H\u001b[J");
    this.#rows = [];
  }

  close(): void {
    this.#terminal.write("\u001b[?1049l");
  }

  fold(): void {
    this.#unfolded = !this.#unfolded;
  }

  resized(): void {
    this.#rows = [];
    this.#terminal.write("\u001b[H\u001b[J");
  }

  /** Upwards it reads on where the session was not read to its beginning. */
  scroll(lines: number): void {
    const top = Math.max(0, this.#length - this.#height);
    if (lines < 0 && this.#fromEnd - lines >= top) void this.#readEarlier();
    this.#fromEnd = Math.min(top, Math.max(0, this.#fromEnd - lines));
  }

  /** The foot is made last: it tells how many lines there are. */
  paint(makeFoot: () => PageFoot): void {
    const { rows, columns } = this.#terminal;
    const lines = this.#lines(columns);
    // Whoever has scrolled up keeps their place while the transcript grows.
    if (this.#fromEnd > 0 && !this.#hasGrownAbove) this.#fromEnd += Math.max(0, lines.length - this.#length);
    this.#hasGrownAbove = false;
    this.#length = lines.length;
    const { lines: foot, cursor } = makeFoot();
    const below = foot.slice(-Math.max(1, rows - 1));
    this.#height = Math.max(1, rows - below.length);
    this.#fromEnd = Math.min(this.#fromEnd, Math.max(0, lines.length - this.#height));
    const to = lines.length - this.#fromEnd;
    const shown = lines.slice(Math.max(0, to - this.#height), to);
    const blank = Array.from({ length: this.#height - shown.length }, () => "");
    const next = [...blank, ...shown, ...below];
    const changed = next.map((line, row) =>
      line === this.#rows[row] ? "" : `\u001b[${row + 1};1H\u001b[0m${line}\u001b[K`,
    );
    this.#rows = next;
    const row = this.#height + Math.max(0, cursor.row - (foot.length - below.length));
    const place = `\u001b[${row + 1};${cursor.column + 1}H`;
    this.#terminal.write(`\u001b[?2026h\u001b[?7l${changed.join("")}\u001b[?7h${place}\u001b[?2026l`);
  }

  async #readEarlier(): Promise<void> {
    if (!(await this.#chat.transcript.readEarlier())) return;
    this.#hasGrownAbove = true;
    this.#open = undefined;
    this.#chat.view.changed();
  }

  #lines(columns: number): string[] {
    const key = `${columns} ${this.#unfolded} ${this.#chat.themeName}`;
    if (key !== this.#knownFor) {
      this.#known = new Map();
      this.#open = undefined;
    }
    this.#knownFor = key;
    let before: Item | undefined;
    const all: string[] = [];
    const { earlier, items } = this.#chat.transcript;
    for (const [at, item] of [...earlier, ...items].entries()) {
      if (isAsked(item)) continue;
      const lines = this.#itemLines(item, at, columns);
      if (lines.length > 0 && needsGap(before, item)) all.push("");
      for (const line of lines) all.push(line);
      if (item.kind !== "run") before = item;
    }
    return all;
  }

  #itemLines(item: Item, at: number, columns: number): readonly string[] {
    const known = this.#known.get(item);
    if (known !== undefined) return known;
    const context = this.#chat.context(columns, this.#unfolded);
    if (!isDone(item)) {
      return item.kind === "text" ? this.#openText(item.text, at, columns) : wrapAll(itemLines(item, context), columns);
    }
    const lines = wrapAll(itemLines(item, context), columns);
    this.#known.set(item, lines);
    return lines;
  }

  #openText(text: string, at: number, columns: number): readonly string[] {
    if (this.#open?.at !== at) this.#open = { at, stream: new MarkdownStream(), finished: [] };
    const context = this.#chat.context(columns, this.#unfolded);
    const { finished, open } = this.#open.stream.update(text, { done: false, tall: Number.POSITIVE_INFINITY, context });
    this.#open.finished.push(...wrapAll(finished, columns));
    return [...this.#open.finished, ...wrapAll(open, columns)];
  }
}

/** Here a long line is cut into rows by us: the other screen has no history to wrap it in. */
function wrapAll(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, columns)));
}
