import { attachImageFile, droppedImage } from "../input/images.ts";
import type { Context, KeyRow } from "../input/key-table.ts";
import { actionFor, keymapWith } from "../input/keymap.ts";
import { matchesKey } from "../pi-tui.ts";
import { backgroundOf } from "../text/theme.ts";
import { actions } from "./actions.ts";
import type { ChatScreen } from "./chat-screen.ts";

/** Whatever comes from the terminal: its own reports, keys with an action, text for the editor or a dialog. */
export class Keyboard {
  readonly #screen: ChatScreen;
  readonly #rows: readonly KeyRow[];

  constructor(screen: ChatScreen) {
    this.#screen = screen;
    this.#rows = keymapWith(screen.chat.options.keys);
  }

  onInput(sequence: string): void {
    const screen = this.#screen;
    if (this.#onReport(sequence)) return;
    screen.attention.seen();
    screen.hint = "";
    const action = actionFor(sequence, this.#contexts(), this.#rows);
    const isHandled = action !== undefined && actions[action](screen, sequence) !== false;
    if (!isHandled) this.#write(sequence);
    screen.paint();
  }

  /** Answers of the terminal itself are not keys. */
  #onReport(sequence: string): boolean {
    const { attention, chat, status } = this.#screen;
    if (sequence === "\u001b[I" || sequence === "\u001b[O") {
      attention.focus(sequence === "\u001b[I");
      return true;
    }
    if (!sequence.startsWith("\u001b]")) return false;
    if (status.onReport(sequence)) return true;
    const background = backgroundOf(sequence);
    if (background !== undefined) chat.followBackground(background);
    return true;
  }

  #contexts(): Set<Context> {
    const { page, chat, inputMode, editor, menu, search } = this.#screen;
    const { dialogs, prompts } = chat;
    const holds = new Set<Context>();
    if (page !== undefined) holds.add("fullScreen");
    if (dialogs.current !== undefined) {
      // A key that comes too soon was meant for the text, or for the run that goes on.
      if (dialogs.isListening) holds.add("dialog");
      else if (prompts.isRunning) holds.add("running");
      return holds;
    }
    if (search !== undefined) return holds.add("search");
    holds.add("editor");
    // Over an empty prompt Escape is meant for the run.
    if (editor.vimMode === "insert" && !(editor.isEmpty && prompts.isRunning)) holds.add("vimInsert");
    if (editor.vimMode === "normal") holds.add("vimNormal");
    if (inputMode === "bash") holds.add("bashMode");
    if (chat.isCommandRunning) holds.add("command");
    if (!editor.isEmpty) holds.add("text");
    if (prompts.isRunning) holds.add("running");
    if (menu !== undefined) holds.add("menu");
    if (prompts.queue.isPaused) holds.add("paused");
    return holds;
  }

  #write(sequence: string): void {
    const screen = this.#screen;
    const { chat, editor } = screen;
    const { dialogs, attachments } = chat;
    if (dialogs.current !== undefined) {
      if (dialogs.isListening) dialogs.current.type(sequence);
      else if (sequence >= " ") editor.handle(sequence);
      return;
    }
    if (screen.search !== undefined) {
      const text = pastedText(sequence) ?? sequence;
      if (text >= " ") screen.search.type(text);
      return;
    }
    const paste = screen.inputMode === "bash" ? undefined : pastedText(sequence);
    const image = paste === undefined ? undefined : droppedImage(paste, chat);
    if (image !== undefined) {
      void attachImageFile(chat, image).then((told) => chat.say(told));
      return;
    }
    if (paste !== undefined && attachments.takePaste(paste)) return;
    if (paste === undefined && editor.pressVim(sequence)) {
      screen.menu = undefined;
      return;
    }
    if (screen.inputMode === "prompt" && sequence === "!" && editor.isEmpty) {
      screen.inputMode = "bash";
      return;
    }
    editor.handle(sequence);
    // A command that Up brought back is not being typed: a menu would keep the next Up for itself.
    if (matchesKey(sequence, "up") || matchesKey(sequence, "down")) screen.menu = undefined;
    else screen.complete();
  }
}

function pastedText(sequence: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the brackets of a paste
  return /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(sequence)?.[1];
}
