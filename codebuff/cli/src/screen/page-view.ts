import { wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { itemLines } from "../blocks/item-lines.ts";
import type { Chat } from "../chat/chat.ts";
import type { Item } from "../transcript/items.ts";
import { needsGap } from "./native-writer.ts";
import type { TerminalPort } from "./terminal-port.ts";

/** The whole transcript on the terminal's other screen, with a scroll position of its own. */
export class PageView {
  readonly #chat: Chat;
  readonly #terminal: TerminalPort;
  /** Lines of finished items, made once for each width. */
  #known = new Map<Item, readonly string[]>();
  #knownFor = "";
  #unfolded: boolean;
  /** Lines between the end of the transcript and the lower edge. */
  #fromEnd = 0;

  constructor(chat: Chat, terminal: TerminalPort, { unfolded }: { unfolded: boolean }) {
    this.#chat = chat;
    this.#terminal = terminal;
    this.#unfolded = unfolded;
  }

  get height(): number {
    return Math.max(1, this.#terminal.rows - 1);
  }

  open(): void {
    this.#terminal.write("\u001b[?1049h");
    this.paint();
  }

  close(): void {
    this.#terminal.write("\u001b[?1049l");
  }

  fold(): void {
    this.#unfolded = !this.#unfolded;
  }

  scroll(lines: number): void {
    this.#fromEnd = Math.max(0, this.#fromEnd - lines);
  }

  paint(): void {
    const { rows, columns } = this.#terminal;
    const lines = this.#lines(columns);
    this.#fromEnd = Math.min(this.#fromEnd, Math.max(0, lines.length - this.height));
    const to = lines.length - this.#fromEnd;
    const shown = lines.slice(Math.max(0, to - this.height), to);
    const { theme } = this.#chat;
    const hint = theme.dim(
      `${to} of ${lines.length} lines · PgUp PgDn · ctrl+t ${this.#unfolded ? "folds" : "unfolds"} · esc goes back`.slice(
        0,
        columns,
      ),
    );
    const body = Array.from({ length: this.height }, (_, row) => `\u001b[${row + 1};1H${shown[row] ?? ""}\u001b[K`);
    this.#terminal.write(
      `\u001b[?2026h\u001b[?25l\u001b[?7l${body.join("")}\u001b[${rows};1H${hint}\u001b[K\u001b[?7h\u001b[?25h\u001b[?2026l`,
    );
  }

  #lines(columns: number): string[] {
    const key = `${columns} ${this.#unfolded} ${this.#chat.themeName}`;
    if (key !== this.#knownFor) this.#known = new Map();
    this.#knownFor = key;
    const context = this.#chat.context(columns, this.#unfolded);
    let before: Item | undefined;
    const all: string[] = [];
    for (const item of this.#chat.items) {
      let lines = this.#known.get(item);
      if (lines === undefined) {
        // Here a long line is cut into rows by us: the other screen has no history to wrap it in.
        lines = itemLines(item, context).flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, columns)));
        this.#known.set(item, lines);
      }
      if (lines.length > 0 && needsGap(before, item)) all.push("");
      all.push(...lines);
      if (item.kind !== "run") before = item;
    }
    return all;
  }
}
