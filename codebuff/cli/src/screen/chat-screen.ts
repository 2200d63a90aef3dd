import { messageOf } from "@muster/core";
import { itemLines } from "../blocks/item-lines.ts";
import type { Chat } from "../chat/chat.ts";
import type { ChatFront } from "../chat/chat-front.ts";
import { writeClipboard } from "../input/clipboard.ts";
import { FilePicker } from "../input/file-picker.ts";
import type { HistorySearch } from "../input/history-search.ts";
import type { Menu } from "../input/menu.ts";
import { type EditorView, PromptEditor } from "../input/prompt-editor.ts";
import { completionFor } from "../slash/completion.ts";
import { customCommands } from "../slash/custom-commands.ts";
import { submit } from "../slash/submit.ts";
import { Attention } from "./attention.ts";
import { editExternally } from "./external-editor.ts";
import { Keyboard } from "./keyboard.ts";
import { editorView, footerLine, planLines, queueLines, statusLine, welcomeLines } from "./live-lines.ts";
import { NativeWriter } from "./native-writer.ts";
import { type PageFoot, PageView } from "./page-view.ts";
import { ProgramStatus, programState } from "./program-status.ts";
import { Region } from "./region.ts";
import type { TerminalPort } from "./terminal-port.ts";

/** Streams paint at most this often. */
const frameMs = 1000 / 30;

const cursorShapes = { usual: "\u001b[0 q", normal: "\u001b[2 q", insert: "\u001b[6 q" } as const;

export type InputMode = "prompt" | "bash";

/** The chat on a terminal: its own scrollback above, a live region below; or all of it on the terminal's other screen. */
export class ChatScreen implements ChatFront {
  readonly chat: Chat;
  readonly terminal: TerminalPort;
  readonly editor: PromptEditor;
  readonly attention: Attention;
  readonly status: ProgramStatus;
  inputMode: InputMode = "prompt";
  menu: Menu | undefined;
  /** Ctrl-R: in the prompt's place. */
  search: HistorySearch | undefined;
  page: PageView | undefined;
  /** A line for a moment, in the footer's place. */
  hint = "";
  /** When a key was last pressed that means more when it comes twice. */
  readonly pressedAt = { refuse: 0, exit: 0 };
  readonly #files: FilePicker;
  readonly #keyboard: Keyboard;
  readonly #region: Region;
  readonly #writer = new NativeWriter();
  #waiting: string[] = [];
  #transcript: readonly string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #lastFrame = 0;
  #isSuspended = true;
  #completing = 0;
  #cursorShape = cursorShapes.usual as string;

  constructor(chat: Chat, terminal: TerminalPort) {
    this.chat = chat;
    this.terminal = terminal;
    this.#region = new Region(terminal);
    this.#files = new FilePicker(chat);
    this.#keyboard = new Keyboard(this);
    this.attention = new Attention((text) => terminal.write(text));
    this.status = new ProgramStatus((text) => terminal.write(text));
    this.editor = new PromptEditor({ rows: () => terminal.rows, onSubmit: (text) => submit(this, text) });
    this.editor.setVim(chat.options.vim);
  }

  /** The first frame: these lines, the prompt, nothing that takes time. */
  start(banner: readonly string[]): void {
    this.#waiting.push(...banner);
    this.#listen();
    this.status.ask();
    this.paint();
  }

  transcriptChanged(): void {
    if (this.#frame !== undefined) return;
    const wait = Math.max(0, this.#lastFrame + frameMs - performance.now());
    this.#frame = setTimeout(() => this.#paintStream(), wait);
  }

  changed(): void {
    if (!this.#isSuspended) this.transcriptChanged();
  }

  opened(from: number): void {
    const { columns, rows } = this.terminal;
    const { items } = this.chat;
    const context = this.chat.context(columns);
    let first = items.length;
    for (let height = 0; first > from && height < rows * 2; first--) {
      const item = items[first - 1];
      // With the blank line between two of them.
      height += item === undefined ? 0 : itemLines(item, context).length + 1;
    }
    this.#advance(items.slice(0, from));
    if (first > from) this.#waiting.push("", this.chat.theme.dim("… ctrl+t shows what was said before"));
    this.#writer.skip(from, first);
    this.transcriptChanged();
  }

  notify(title: string): void {
    this.attention.want(title);
  }

  copy(text: string): void {
    this.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
    void writeClipboard(text, this.chat.io.env);
  }

  addToHistory(line: string): void {
    this.editor.addToHistory(line);
  }

  setVim(isOn = this.editor.vimMode === undefined): boolean {
    this.editor.setVim(isOn);
    this.changed();
    return isOn;
  }

  setTitle(text: string): void {
    this.attention.setTitle(text);
  }

  submit(text: string): void {
    submit(this, text);
  }

  draft(text: string): void {
    this.editor.text = text;
    this.changed();
  }

  openPage({ unfolded } = { unfolded: true }): void {
    if (this.page !== undefined) return;
    this.page = new PageView(this.chat, this.terminal, { unfolded });
    this.page.open();
    this.paint();
  }

  closePage(): void {
    this.page?.close();
    this.page = undefined;
    this.transcriptChanged();
  }

  /** The person's own editor has the terminal until it ends. */
  async edit(text: string): Promise<string | undefined> {
    const { page } = this;
    if (page !== undefined) this.closePage();
    this.#suspend();
    try {
      return await editExternally(text, this.chat.io);
    } catch (error) {
      this.chat.say(`The editor did not start: ${messageOf(error)}`, "error");
      return undefined;
    } finally {
      this.#listen();
      this.#region.resized();
      this.paint();
    }
  }

  /** Ctrl-Z: the shell has the terminal until it brings this process back. */
  stopProcess(): void {
    if (this.page !== undefined) this.closePage();
    this.#suspend();
    // Without a keyboard to read nothing else would keep the process.
    const alive = setInterval(() => undefined, 60_000);
    process.once("SIGCONT", () => {
      clearInterval(alive);
      this.#listen();
      this.#region.resized();
      this.#paintStream();
    });
    process.kill(process.pid, "SIGTSTP");
  }

  /** Everything that was said is written, the live lines go away, the terminal is as it was. */
  close(): void {
    if (this.page !== undefined) this.closePage();
    if (this.#frame !== undefined) clearTimeout(this.#frame);
    this.#frame = undefined;
    if (!this.#isSuspended) {
      this.#advance();
      const { committed, live, cursor } = { committed: this.#waiting, live: [""], cursor: { row: 0, column: 0 } };
      this.#region.paint({ committed, live, cursor });
    }
    this.#suspend();
    this.attention.close();
  }

  /** At once, with what is known: no Markdown is read for a keystroke. */
  paint(): void {
    if (this.#isSuspended) return;
    this.status.tell(programState(this.chat));
    this.#shapeCursor(cursorShapes[this.editor.vimMode ?? "usual"]);
    if (this.page !== undefined) return this.page.paint(() => this.#foot());
    const committed = this.#waiting;
    this.#waiting = [];
    this.#region.paint({ committed, ...this.#live() });
  }

  /** Opens, changes or closes the menu for what stands before the cursor; `byTab` for any word. */
  complete({ byTab = false } = {}): void {
    const asked = ++this.#completing;
    const { editor, menu: shown } = this;
    const { menu, later } =
      this.inputMode === "bash" && !byTab
        ? {}
        : completionFor(editor, this.#files, { byTab, shown, own: () => customCommands(this.chat) });
    this.menu = menu;
    const before = editor.beforeCursor;
    const shows = (found: Menu | undefined) => {
      // Typed on, sent, or closed by the person meanwhile.
      if (asked !== this.#completing || editor.beforeCursor !== before || this.menu !== menu) return;
      this.menu = found;
      this.paint();
    };
    // A menu without what could not be read is a menu too.
    void later?.then(shows).catch(() => undefined);
  }

  #listen(): void {
    this.#isSuspended = false;
    this.terminal.start({
      onInput: (sequence) => this.#keyboard.onInput(sequence),
      onResize: () => this.#onResize(),
      onEnd: () => this.chat.exit(),
    });
  }

  #suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    this.#region.close();
    this.status.close();
    this.#shapeCursor(cursorShapes.usual);
    this.terminal.stop();
  }

  /** A block where letters are commands, a bar where they are written. */
  #shapeCursor(shape: string): void {
    if (shape === this.#cursorShape) return;
    this.#cursorShape = shape;
    this.terminal.write(shape);
  }

  #onResize(): void {
    this.#region.resized();
    this.page?.resized();
    this.#paintStream();
    void this.chat.resized(this.terminal.columns, this.terminal.rows);
  }

  #paintStream(): void {
    if (this.#frame !== undefined) clearTimeout(this.#frame);
    this.#frame = undefined;
    this.#lastFrame = performance.now();
    if (this.page === undefined) this.#advance();
    this.paint();
  }

  #advance(items = this.chat.items): void {
    const { columns, rows } = this.terminal;
    const { committed, live } = this.#writer.advance(items, this.chat.context(columns), rows);
    this.#waiting.push(...committed);
    this.#transcript = live;
  }

  #live(): { live: string[]; cursor: { row: number; column: number } } {
    const { lines, cursor } = this.#bottom();
    const room = this.#region.maxLive - lines.length - 2;
    const top = [...clip(this.#transcript, room, this.chat.theme.dim), ""];
    return { live: [...top, ...lines], cursor: { row: top.length + cursor.row, column: cursor.column } };
  }

  /** What stands below the transcript: what goes on, then the dialog or the editor. */
  #bottom(): EditorView {
    const { columns, rows } = this.terminal;
    const dialog = this.chat.dialogs.current;
    const status = statusLine(this.chat, columns);
    // In a small window the question has the room.
    const isTight = dialog !== undefined && rows < 24;
    const above = isTight
      ? status
      : [
          ...welcomeLines(this.chat, columns),
          ...planLines(this.chat, columns),
          ...status,
          ...queueLines(this.chat, columns),
        ];
    const room = this.#region.maxLive - above.length;
    const view = dialog === undefined ? editorView(this, columns) : dialog.render(columns, room, this.chat.theme);
    const below = dialog === undefined ? this.#belowEditor(columns) : [];
    const cursor = { row: above.length + view.cursor.row, column: view.cursor.column };
    return { lines: [...above, ...view.lines, ...below], cursor };
  }

  #foot(): PageFoot {
    const { lines, cursor } = this.#bottom();
    return { lines: ["", ...lines], cursor: { row: cursor.row + 1, column: cursor.column } };
  }

  #belowEditor(columns: number): string[] {
    const { theme } = this.chat;
    const menu = this.search?.menu ?? this.menu;
    if (menu !== undefined) return menu.render(columns, theme);
    if (this.hint !== "") return [theme.dim(this.hint)];
    const vim = this.editor.vimMode === "normal" ? "NORMAL · " : "";
    return [
      this.page === undefined ? footerLine(this.chat, columns, vim) : theme.dim(this.page.hint.slice(0, columns)),
    ];
  }
}

/** The end of what is going on; how much is hidden stands above it. */
function clip(lines: readonly string[], room: number, dim: (text: string) => string): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(1, room - 1);
  return [dim(`… ${lines.length - kept} more`), ...lines.slice(-kept)];
}
