import type { Chat, ChatView } from "../chat/chat.ts";
import { attachImageFile, droppedImage } from "../input/clipboard.ts";
import { completionFor } from "../input/completion.ts";
import type { Action } from "../input/keymap.ts";
import { actionFor, type Context } from "../input/keymap.ts";
import type { Menu } from "../input/menu.ts";
import { PromptEditor } from "../input/prompt-editor.ts";
import { submit } from "../slash/submit.ts";
import { actions } from "./actions.ts";
import { Attention } from "./attention.ts";
import { editExternally } from "./external-editor.ts";
import { footerLine, planLines, queueLines, statusLine } from "./live-lines.ts";
import { NativeWriter } from "./native-writer.ts";
import { PageView } from "./page-view.ts";
import { Region } from "./region.ts";
import type { TerminalPort } from "./terminal-port.ts";
import { backgroundOf } from "./theme.ts";

/** Streams paint at most this often. */
const frameMs = 1000 / 30;

export type InputMode = "prompt" | "bash";

/** The chat on a terminal: its own scrollback above, a live region below. */
export class ChatScreen implements ChatView {
  readonly chat: Chat;
  readonly terminal: TerminalPort;
  readonly editor: PromptEditor;
  inputMode: InputMode = "prompt";
  menu: Menu | undefined;
  page: PageView | undefined;
  /** A line for a moment, in the footer's place. */
  hint = "";
  readonly #region: Region;
  readonly #writer = new NativeWriter();
  readonly #attention: Attention;
  #waiting: string[] = [];
  #transcript: readonly string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #lastFrame = 0;
  #isSuspended = true;
  #completing = 0;

  constructor(chat: Chat, terminal: TerminalPort) {
    this.chat = chat;
    this.terminal = terminal;
    this.#region = new Region(terminal);
    this.#attention = new Attention((text) => terminal.write(text));
    this.editor = new PromptEditor({ rows: () => terminal.rows, onSubmit: (text) => submit(this, text) });
  }

  /** The first frame: these lines, the prompt, nothing that takes time. */
  start(banner: readonly string[]): void {
    this.#waiting.push(...banner);
    this.#listen();
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

  notify(title: string): void {
    this.#attention.want(title);
  }

  copy(text: string): void {
    this.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  }

  setTitle(text: string): void {
    this.#attention.setTitle(text);
  }

  openPage(): void {
    this.page ??= new PageView(this.chat, this.terminal, { unfolded: true });
    this.page.open();
  }

  closePage(): void {
    this.page?.close();
    this.page = undefined;
    this.transcriptChanged();
  }

  /** The person's own editor has the terminal until it ends. */
  async edit(text: string): Promise<string | undefined> {
    this.#suspend();
    try {
      return await editExternally(text, this.chat.io);
    } catch (error) {
      this.chat.say(`The editor did not start: ${error instanceof Error ? error.message : String(error)}`, "error");
      return undefined;
    } finally {
      this.#listen();
      this.#region.resized();
      this.paint();
    }
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
    this.#attention.close();
  }

  /** At once, with what is known: no Markdown is read for a keystroke. */
  paint(): void {
    if (this.#isSuspended) return;
    if (this.page !== undefined) return this.page.paint();
    const committed = this.#waiting;
    this.#waiting = [];
    this.#region.paint({ committed, ...this.#live() });
  }

  #listen(): void {
    this.#isSuspended = false;
    this.terminal.start({
      onInput: (sequence) => this.#onInput(sequence),
      onResize: () => this.#onResize(),
      onEnd: () => this.chat.exit(),
    });
  }

  #suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    this.#region.close();
    this.terminal.stop();
  }

  #onResize(): void {
    this.#region.resized();
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

  #advance(): void {
    const { columns, rows } = this.terminal;
    const { committed, live } = this.#writer.advance(this.chat.items, this.chat.context(columns), rows);
    this.#waiting.push(...committed);
    this.#transcript = live;
  }

  /** Forgets that anything was written: the next frame begins with what the chat holds from there on. */
  skipTranscript(): void {
    this.#writer.skipTo(this.chat.items);
    this.#transcript = [];
  }

  #live(): { live: string[]; cursor: { row: number; column: number } } {
    const { columns, rows } = this.terminal;
    const { theme } = this.chat;
    const dialog = this.chat.dialogs.current;
    const above = [
      ...planLines(this.chat, columns),
      ...statusLine(this.chat, columns),
      ...queueLines(this.chat, columns),
    ];
    const view = dialog === undefined ? this.#editorView(columns) : dialog.render(columns, rows, theme);
    const below = dialog === undefined ? this.#belowEditor(columns) : [];
    const room = this.#region.maxLive - above.length - view.lines.length - below.length - 2;
    const transcript = clip(this.#transcript, room, theme.dim);
    const top = [...transcript, "", ...above];
    const cursor = { row: top.length + view.cursor.row, column: view.cursor.column };
    return { live: [...top, ...view.lines, ...below], cursor };
  }

  #editorView(columns: number) {
    const { theme, settings, isAgentMode } = this.chat;
    const view = this.editor.render(columns - 2);
    const mark = this.inputMode === "bash" ? "!" : isAgentMode ? "»" : settings.mode === "PLAN" ? "◇" : "›";
    const style = this.inputMode === "bash" ? theme.warning : theme.user;
    const names = this.chat.attachments.names.map((name) => theme.dim(`  + ${name}`));
    const lines = view.lines.map((line, at) => `${at === 0 ? style(mark) : " "} ${line}`);
    const cursor = { row: names.length + view.cursor.row, column: view.cursor.column + 2 };
    return { lines: [...names, ...lines], cursor };
  }

  #belowEditor(columns: number): string[] {
    const { theme } = this.chat;
    if (this.menu !== undefined) return this.menu.render(columns, theme);
    return [this.hint === "" ? footerLine(this.chat, columns) : theme.dim(this.hint)];
  }

  #onInput(sequence: string): void {
    if (this.#onReport(sequence)) return;
    this.#attention.seen();
    this.hint = "";
    const action = actionFor(sequence, this.#contexts());
    const isHandled = action !== undefined && this.#act(action, sequence);
    if (!isHandled) this.#write(sequence);
    this.paint();
  }

  /** Answers of the terminal itself are not keys. */
  #onReport(sequence: string): boolean {
    if (sequence === "\u001b[I" || sequence === "\u001b[O") {
      this.#attention.focus(sequence === "\u001b[I");
      return true;
    }
    if (!sequence.startsWith("\u001b]")) return false;
    const background = backgroundOf(sequence);
    if (background !== undefined && background !== this.chat.themeName) this.chat.setTheme(background);
    return true;
  }

  #act(action: Action, sequence: string): boolean {
    return actions[action](this, sequence) !== false;
  }

  #contexts(): Set<Context> {
    const holds = new Set<Context>();
    if (this.page !== undefined) return holds.add("fullScreen");
    if (this.chat.dialogs.current !== undefined) {
      // A key that comes too soon was meant for the text.
      return this.chat.dialogs.isListening ? holds.add("dialog") : holds;
    }
    holds.add("editor");
    if (this.inputMode === "bash") holds.add("bashMode");
    if (this.chat.isCommandRunning) holds.add("command");
    if (!this.editor.isEmpty) holds.add("text");
    if (this.chat.isRunning) holds.add("running");
    if (this.menu !== undefined) holds.add("menu");
    if (this.chat.queue.isPaused) holds.add("paused");
    return holds;
  }

  #write(sequence: string): void {
    if (this.page !== undefined) return;
    const { dialogs, attachments } = this.chat;
    if (dialogs.current !== undefined) {
      if (dialogs.isListening) dialogs.current.type(sequence);
      else if (sequence >= " ") this.editor.handle(sequence);
      return;
    }
    const paste = pastedText(sequence);
    const image = paste === undefined ? undefined : droppedImage(paste);
    if (image !== undefined) return void attachImageFile(this.chat, image).then((told) => this.chat.say(told));
    if (paste !== undefined && attachments.takePaste(paste)) return;
    if (this.inputMode === "prompt" && sequence === "!" && this.editor.isEmpty) {
      this.inputMode = "bash";
      return;
    }
    this.editor.handle(sequence);
    this.complete();
  }

  /** Opens, changes or closes the menu for what stands before the cursor. */
  complete(): void {
    const asked = ++this.#completing;
    const found = this.inputMode === "bash" ? undefined : completionFor(this.editor, this.chat);
    if (found instanceof Promise) {
      void found.then((menu) => {
        if (asked !== this.#completing) return;
        this.menu = menu;
        this.paint();
      });
      return;
    }
    this.menu = found;
  }
}

function pastedText(sequence: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the brackets of a paste
  return /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(sequence)?.[1];
}

/** The end of what is going on; how much is hidden stands above it. */
function clip(lines: readonly string[], room: number, dim: (text: string) => string): readonly string[] {
  if (lines.length <= room) return lines;
  const kept = Math.max(1, room - 1);
  return [dim(`… ${lines.length - kept} more`), ...lines.slice(-kept)];
}
