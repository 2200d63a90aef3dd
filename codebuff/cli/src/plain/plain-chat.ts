import { createInterface, type Interface } from "node:readline";
import type { Chat } from "../chat/chat.ts";
import type { ChatFront } from "../chat/chat-front.ts";
import type { ChoiceDialog } from "../dialogs/choice-dialog.ts";
import { writeClipboard } from "../input/clipboard.ts";
import { editExternally } from "../screen/external-editor.ts";
import { busyWith } from "../screen/live-lines.ts";
import { submit } from "../slash/submit.ts";
import { formatDuration } from "../text/amounts.ts";
import { oneLine } from "../text/printable.ts";
import { type Item, isDone } from "../transcript/items.ts";
import { Interrupts } from "./interrupt.ts";
import { answerByLine, spokenQuestion } from "./spoken-dialog.ts";
import { spokenLines } from "./spoken-lines.ts";

const width = 200;
const silenceMs = 30_000;
const rowsOfTwoScreens = 48;

/** The chat as lines for a screen reader or a dumb terminal: nothing is written twice, moved or coloured. */
export class PlainChat implements ChatFront {
  readonly chat: Chat;
  inputMode: "prompt" | "bash" = "prompt";
  /** Readline of a terminal keeps a history of its own only with cursor moves, which are not wanted here. */
  readonly editor = { addToHistory: () => undefined };
  #input: Interface | undefined;
  #written = new Set<number>();
  #next = 0;
  #spoken: ChoiceDialog<unknown> | undefined;
  #typed: string[] = [];
  #lastSign = Date.now();
  readonly #interrupts: Interrupts;

  constructor(chat: Chat) {
    this.chat = chat;
    this.#interrupts = new Interrupts(chat);
  }

  start(banner: readonly string[]): void {
    this.#say([...banner, "Type a prompt and press Enter. /help lists the commands, Ctrl-C interrupts, /exit leaves."]);
    this.#listen();
  }

  transcriptChanged(): void {
    const { items, prompts } = this.chat;
    this.#writeItems(items);
    if (!prompts.isRunning || this.chat.dialogs.current !== undefined) this.#lastSign = Date.now();
    const silent = Date.now() - this.#lastSign;
    if (silent < silenceMs) return;
    const busy = busyWith(items);
    this.#say([`Still working: ${busy}, ${formatDuration(Date.now() - (prompts.run?.startedAt ?? Date.now()))}`]);
  }

  changed(): void {
    this.transcriptChanged();
    const { current } = this.chat.dialogs;
    if (current === this.#spoken) return;
    this.#spoken = current;
    if (current !== undefined) this.#say(spokenQuestion(current.options, this.chat.theme));
  }

  opened(from: number): void {
    const { items } = this.chat;
    let first = items.length;
    for (let rows = 0; first > from && rows < rowsOfTwoScreens; first--) rows += this.#linesOf(items[first - 1]).length;
    this.#writeItems(items.slice(0, from));
    if (this.#next === from) this.#next = first;
    this.transcriptChanged();
  }

  notify(): void {
    // Whatever waits for the person has just been said.
  }

  setTitle(): void {
    // A title would be an escape sequence.
  }

  copy(text: string): void {
    void writeClipboard(text, this.chat.io.env);
  }

  openPage(): void {
    // All of it stands in the scrollback.
  }

  submit(text: string): void {
    submit(this, text);
  }

  draft(text: string): void {
    this.#say([`Its text: ${oneLine(text, width)}`]);
  }

  addToHistory(): void {
    // No line editor, no history.
  }

  async edit(text: string): Promise<string | undefined> {
    this.#input?.close();
    try {
      return await editExternally(text, this.chat.io);
    } finally {
      this.#listen();
    }
  }

  interrupt(): void {
    const clear = () => {
      this.#typed = [];
    };
    const told = this.#interrupts.press({ hasText: this.#typed.length > 0, clear });
    // The terminal has written ^C at the end of whatever stood there.
    if (told !== undefined) this.#say(["", told]);
  }

  close(): void {
    this.#writeItems(this.chat.items);
    const input = this.#input;
    this.#input = undefined;
    input?.close();
  }

  #listen(): void {
    const input = createInterface({ input: this.chat.io.stdin, terminal: false });
    this.#input = input;
    input.on("line", (line) => this.#onLine(line));
    input.on("close", () => {
      if (this.#input === input) this.chat.exit();
    });
  }

  /** A line that ends with a backslash goes on. */
  #onLine(line: string): void {
    const { dialogs } = this.chat;
    if (dialogs.current !== undefined && dialogs.isListening) {
      if (!answerByLine(dialogs.current, line)) this.#say(["That is none of the answers. Type a number of the list."]);
      return;
    }
    if (line.endsWith("\\")) {
      this.#typed.push(line.slice(0, -1));
      return;
    }
    const text = [...this.#typed, line].join("\n");
    this.#typed = [];
    submit(this, text);
  }

  /** What is finished, in the order in which it began; a command of the person's own holds nothing up, and no remark waits. */
  #writeItems(items: readonly Item[]): void {
    let isHeldUp = false;
    for (let at = this.#next; at < items.length; at++) {
      const item = items[at];
      if (item === undefined || this.#written.has(at)) continue;
      if (!isDone(item)) {
        isHeldUp ||= item.kind !== "command";
        continue;
      }
      if (isHeldUp && item.kind !== "remark") continue;
      this.#written.add(at);
      this.#say(this.#linesOf(item));
    }
    while (this.#written.delete(this.#next)) this.#next++;
  }

  #linesOf(item: Item | undefined): string[] {
    return item === undefined ? [] : spokenLines(item, this.chat.context(width));
  }

  #say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#lastSign = Date.now();
    this.chat.io.stdout.write(`${lines.join("\n")}\n`);
  }
}
