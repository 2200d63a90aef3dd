import { emitKeypressEvents } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Paint } from "@muster/core";
import { type Key, LineEditor } from "./line-editor.ts";
import { Region } from "./region.ts";

export interface PromptScreenOptions {
  stdin: Readable & { setRawMode?(raw: boolean): unknown };
  stdout: Writable & { columns?: number; rows?: number };
  paint: Paint;
  history: readonly string[];
  /** A text that is no answer to a question. */
  onLine(text: string): void;
  /** Ctrl-C. */
  onInterrupt(): void;
  /** Ctrl-D with nothing written, or the end of the terminal. */
  onEnd(): void;
  /** What Tab may put in the place of the end of the text. */
  complete(before: string): Promise<Completion>;
}

export interface Completion {
  /** How many letters before the cursor they stand for. */
  length: number;
  words: readonly string[];
}

/** Keys that come in one go make one frame, and so does what an agent says in one breath. */
const frameMs = 15;
const pastes = { on: "\u001b[?2004h", off: "\u001b[?2004l" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: a style is a sequence with one
const style = /\u001b\[[0-9;]*m/g;

/** A terminal at which somebody writes while things happen: what happens stands above, what they write below, never mixed. */
export class PromptScreen {
  readonly #options: PromptScreenOptions;
  readonly #region: Region;
  readonly #editor: LineEditor;
  #finished = "";
  #live: readonly string[] = [];
  #notes: readonly string[] = [];
  #hint = "";
  #asking: { prompt: string; draft: string; resolve(line: string | undefined): void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PromptScreenOptions) {
    this.#options = options;
    const { stdin, stdout } = options;
    this.#region = new Region(stdout);
    this.#editor = new LineEditor(options.history);
    emitKeypressEvents(stdin);
    stdin.on("keypress", this.#onKey);
    stdin.on("end", options.onEnd);
    stdout.on("resize", this.#draw);
    stdin.setRawMode?.(true);
    stdin.resume();
    stdout.write(pastes.on);
    this.#draw();
  }

  get columns(): number {
    return this.#region.columns;
  }

  get isAsking(): boolean {
    return this.#asking !== undefined;
  }

  /** What is being written. */
  get text(): string {
    return this.#editor.text;
  }

  set text(text: string) {
    this.#editor.text = text;
    this.#draw();
  }

  /** Lines that are finished. */
  async write(text: string): Promise<void> {
    this.#finished += text;
    this.#draw();
  }

  /** Lines that still change: below what is finished. */
  set live(lines: readonly string[]) {
    this.#live = lines;
    this.#draw();
  }

  /** What waits, right above the prompt. */
  set notes(lines: readonly string[]) {
    this.#notes = lines;
    this.#draw();
  }

  /** A question: the text that was being written is put aside and comes back afterwards. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted || this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stop = () => this.#answer(undefined);
      signal?.addEventListener("abort", stop, { once: true });
      const settle = (line: string | undefined) => {
        signal?.removeEventListener("abort", stop);
        resolve(line);
      };
      this.#asking = { prompt, draft: this.#editor.text, resolve: settle };
      this.#editor.text = "";
      this.#draw();
    });
  }

  /** The terminal as it was; what is finished stays. */
  close(): void {
    if (this.#isClosed) return;
    this.#answer(undefined);
    const { stdin, stdout } = this.#options;
    stdin.off("keypress", this.#onKey);
    stdin.off("end", this.#options.onEnd);
    stdout.off("resize", this.#draw);
    stdin.setRawMode?.(false);
    stdin.pause();
    clearTimeout(this.#timer);
    this.#isClosed = true;
    stdout.write(this.#region.frame(this.#finished, []) + pastes.off);
  }

  readonly #draw = (): void => {
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#paint(), frameMs);
  };

  #paint(): void {
    this.#timer = undefined;
    const { paint, stdout } = this.#options;
    const prompt = this.#asking?.prompt ?? paint.bold("› ");
    const bare = prompt.replaceAll(style, "");
    const { lines, cursor } = this.#editor.layout(bare, this.columns);
    const [first = "", ...others] = lines;
    const rows = [prompt + first.slice(bare.length), ...others];
    const above = [...this.#live, "", ...this.#notes.map((note) => paint.dim(note))];
    const below = this.#hint === "" ? [] : [paint.dim(this.#hint)];
    const place = { row: above.length + cursor.row, column: cursor.column };
    const finished = this.#finished;
    this.#finished = "";
    stdout.write(this.#region.frame(finished, [...above, ...rows, ...below], place));
  }

  readonly #onKey = (letters: string | undefined, key: Key): void => {
    this.#hint = "";
    this.#draw();
    if (key.ctrl && key.name === "c") return this.#options.onInterrupt();
    if (key.ctrl && key.name === "d" && this.#editor.text === "") return this.#options.onEnd();
    if (key.name === "tab") return void this.#complete();
    if (this.#editor.press(letters, key) !== "submit") return;
    if (this.#asking !== undefined) {
      const { text } = this.#editor;
      this.#finished += `${this.#asking.prompt}${text}\n`;
      return this.#answer(text);
    }
    const text = this.#editor.take();
    if (text.trim() !== "") this.#options.onLine(text);
  };

  #answer(line: string | undefined): void {
    const asking = this.#asking;
    if (asking === undefined) return;
    this.#asking = undefined;
    this.#editor.text = asking.draft;
    this.#draw();
    asking.resolve(line);
  }

  async #complete(): Promise<void> {
    const { before } = this.#editor;
    const { length, words } = await this.#options.complete(before);
    if (this.#editor.before !== before || words.length === 0) return;
    const common = commonStart(words);
    const typed = before.slice(before.length - length);
    if (common.length > typed.length || words.length === 1) this.#editor.replaceBefore([...typed].length, common);
    if (words.length > 1) this.#hint = words.join("  ");
    this.#draw();
  }
}

function commonStart(words: readonly string[]): string {
  const [first = "", ...others] = words;
  let end = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, end))) end--;
  return first.slice(0, end);
}
