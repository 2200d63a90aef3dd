import { randomUUID } from "node:crypto";
import { pasteClipboard } from "../input/clipboard.ts";
import { HistorySearch } from "../input/history-search.ts";
import type { Action } from "../input/key-table.ts";
import { nextPolicy } from "../permissions/policy-switch.ts";
import { nextMode } from "../slash/mode.ts";
import { submit } from "../slash/submit.ts";
import type { ChatScreen } from "./chat-screen.ts";

/** `false`: the key does nothing special here and goes to the editor. */
type Act = (screen: ChatScreen, sequence: string) => unknown;

const exitMs = 2000;
/** A second Escape within this time is meant for the run, not for the next question. */
const againMs = 2000;

/** What each action of the keymap does. */
export const actions: Readonly<Record<Action, Act>> = {
  "page.up": ({ page }) => page?.scroll(-page.height),
  "page.down": ({ page }) => page?.scroll(page.height),
  "line.up": ({ page }) => page?.scroll(-1),
  "line.down": ({ page }) => page?.scroll(1),
  "page.first": ({ page }) => page?.scroll(Number.NEGATIVE_INFINITY),
  "page.last": ({ page }) => page?.scroll(Number.POSITIVE_INFINITY),
  "page.fold": ({ page }) => page?.fold(),
  "page.close": (screen) => screen.closePage(),
  "page.open": (screen) => screen.openPage({ unfolded: false }),
  "page.unfold": (screen) => screen.openPage({ unfolded: true }),
  "dialog.refuse": ({ chat, pressedAt }) => {
    // Whoever looks at all of it goes back to the question first.
    if (chat.dialogs.current?.isPaging === true) return chat.dialogs.current.page();
    const before = pressedAt.refuse;
    pressedAt.refuse = Date.now();
    if (pressedAt.refuse - before < againMs && chat.isRunning) chat.prompts.interrupt();
    else chat.dialogs.current?.refuse();
  },
  "dialog.up": ({ chat }) => chat.dialogs.current?.move(-1),
  "dialog.down": ({ chat }) => chat.dialogs.current?.move(1),
  "dialog.mark": ({ chat }) => chat.dialogs.current?.mark(),
  "dialog.pageUp": ({ chat }) => chat.dialogs.current?.scrollPage(-1),
  "dialog.pageDown": ({ chat }) => chat.dialogs.current?.scrollPage(1),
  "dialog.page": ({ chat }) => chat.dialogs.current?.page(),
  "dialog.choose": ({ chat }) => void chat.dialogs.current?.choose(),
  "search.open": (screen) => {
    screen.menu = undefined;
    screen.search = new HistorySearch(screen.editor.history);
  },
  "vim.normal": (screen) => {
    screen.menu = undefined;
    screen.editor.leaveInsert();
  },
  "vim.redo": ({ editor }) => editor.redo(),
  "search.older": ({ search }) => search?.menu.move(1),
  "search.newer": ({ search }) => search?.menu.move(-1),
  "search.take": (screen) => {
    const { chosen } = screen.search ?? {};
    screen.search = undefined;
    if (chosen !== undefined) screen.editor.text = chosen;
  },
  "search.backspace": (screen) => {
    if (screen.search?.backspace() === false) screen.search = undefined;
  },
  "search.leave": (screen) => {
    screen.search = undefined;
  },
  "mode.leave": (screen) => {
    screen.inputMode = "prompt";
  },
  "mode.backspace": (screen) => {
    if (!screen.editor.isAtStart) return false;
    screen.inputMode = "prompt";
  },
  "permissions.next": ({ chat }) => nextPolicy(chat),
  "command.interrupt": ({ chat }) => void chat.interruptCommand(),
  "text.clear": (screen) => {
    screen.editor.text = "";
    screen.menu = undefined;
  },
  "text.submit": (screen, sequence) => screen.editor.handle(sequence),
  "text.tab": (screen) => {
    if (screen.editor.touchesWord) screen.complete({ byTab: true });
    else nextMode(screen.chat);
  },
  "text.external": (screen) => {
    void screen.edit(screen.editor.text).then((text) => {
      if (text !== undefined) screen.editor.text = text.replace(/\n$/, "");
      screen.paint();
    });
  },
  "run.interrupt": ({ chat }) => chat.prompts.interrupt(),
  "run.steer": (screen) => {
    const text = screen.editor.text.trim();
    if (text === "") return;
    screen.editor.text = "";
    screen.chat.prompts.steer(text);
  },
  "menu.up": ({ menu }) => menu?.move(-1),
  "menu.down": ({ menu }) => menu?.move(1),
  "menu.complete": (screen) => completeFromMenu(screen),
  "menu.choose": (screen) => {
    const isCommand = screen.menu?.chosen?.isCommand === true;
    completeFromMenu(screen);
    if (!isCommand) return;
    const { text } = screen.editor;
    screen.editor.text = "";
    submit(screen, text);
  },
  "menu.close": (screen) => {
    screen.menu = undefined;
  },
  "queue.clear": ({ chat }) => void chat.prompts.queue.clear().then(() => chat.say("The queue is empty.")),
  "queue.edit": (screen) => (screen.chat.prompts.queue.entries.length === 0 ? false : void editQueued(screen)),
  "attachment.remove": ({ editor, chat }) => editor.isAtStart && chat.attachments.removeLast(),
  "clipboard.paste": (screen) => void pasteClipboard(screen),
  "exit.ask": (screen) => {
    const now = Date.now();
    if (now - screen.pressedAt.exit < exitMs) return screen.chat.exit();
    screen.pressedAt.exit = now;
    screen.hint = "Ctrl-C once more leaves";
  },
  "exit.end": (screen) => {
    if (!screen.editor.isEmpty) return false;
    screen.chat.exit();
  },
  "process.stop": (screen) => screen.stopProcess(),
};

/** One of the prompts that wait, into the editor; what stands there takes its place in the queue. */
async function editQueued(screen: ChatScreen): Promise<void> {
  const { chat, editor } = screen;
  const { queue } = chat.prompts;
  const chosen =
    queue.entries.length === 1
      ? queue.entries[0]
      : (
          await chat.dialogs.choose({
            title: "Which prompt back into the editor?",
            choices: queue.entries.toReversed().map((entry) => ({ label: entry.text, value: entry })),
            escape: "leaves them",
          })
        )?.values[0];
  if (chosen === undefined) return;
  const draft = editor.text.trim();
  const kept = { ...chosen, id: randomUUID(), text: draft, texts: [], images: [] };
  await queue.replace(chosen.id, draft === "" ? [] : [kept]);
  chat.attachments.restore(chosen);
  editor.text = chosen.text;
  screen.paint();
}

function completeFromMenu(screen: ChatScreen): void {
  const { menu } = screen;
  const entry = menu?.chosen;
  screen.menu = undefined;
  if (menu === undefined || entry === undefined) return;
  screen.editor.replaceBefore(menu.prefixLength, entry.value);
}
