import type { Chat } from "../chat/chat.ts";
import type { Context } from "../input/key-table.ts";
import { actionFor } from "../input/keymap.ts";

const ctrlC = "\u0003";
/** A second Ctrl-C within this time means more than the first. */
const againMs = 2000;

/** What Ctrl-C does where there are no keys but lines; the keymap says what comes first, as on the screen. */
export class Interrupts {
  readonly #chat: Chat;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** `clear` forgets the lines of a prompt that is not whole yet. Returns what is said about it. */
  press({ hasText, clear }: { hasText: boolean; clear: () => void }): string | undefined {
    const chat = this.#chat;
    const now = Date.now();
    switch (actionFor(ctrlC, contextsOf(chat, hasText))) {
      case "dialog.refuse":
        if (now - this.#refusedAt < againMs && chat.isRunning) return this.#interruptRun();
        this.#refusedAt = now;
        chat.dialogs.current?.refuse();
        return undefined;
      case "command.interrupt":
        void chat.interruptCommand();
        return "Interrupting your command.";
      case "text.clear":
        clear();
        return "Cleared.";
      case "run.interrupt":
        return this.#interruptRun();
      case "queue.clear":
        void chat.prompts.queue.clear().then(() => chat.say("The queue is empty."));
        return undefined;
      default:
        if (now - this.#askedAt < againMs) {
          chat.exit();
          return "Leaving.";
        }
        this.#askedAt = now;
        return "Ctrl-C once more leaves.";
    }
  }

  #interruptRun(): string {
    this.#chat.prompts.interrupt();
    return "Interrupting.";
  }
}

function contextsOf({ dialogs, prompts, isCommandRunning }: Chat, hasText: boolean): Set<Context> {
  // One that came too soon to be an answer is meant for the run.
  if (dialogs.current !== undefined) return new Set([dialogs.isListening || !prompts.isRunning ? "dialog" : "running"]);
  const holds = new Set<Context>(["editor"]);
  if (isCommandRunning) holds.add("command");
  if (hasText) holds.add("text");
  if (prompts.isRunning && !prompts.isInterrupting) holds.add("running");
  if (prompts.queue.isPaused) holds.add("paused");
  return holds;
}
