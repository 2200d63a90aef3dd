import { type KeyId, matchesKey } from "../pi-tui.ts";

/** Where a key is pressed, the narrowest first: the first context that holds and knows the key decides. */
const contexts = [
  "dialog",
  "bashMode",
  "command",
  "text",
  "running",
  "menu",
  "paused",
  "fullScreen",
  "editor",
] as const;
export type Context = (typeof contexts)[number];

/** Every key that does more than write: dispatch, `/help` and the tests read this table. */
export const keymap = [
  ["fullScreen", "pageUp", "page.up", "a page up"],
  ["fullScreen", "pageDown", "page.down", "a page down"],
  ["fullScreen", "shift+up", "line.up", "a line up"],
  ["fullScreen", "shift+down", "line.down", "a line down"],
  ["fullScreen", "ctrl+home", "page.first", "to the beginning"],
  ["fullScreen", "ctrl+end", "page.last", "to the end"],
  ["fullScreen", "ctrl+t", "page.fold", "fold or unfold everything"],
  ["fullScreen", "ctrl+o", "page.close", "back to the terminal's own screen"],
  ["fullScreen", "escape", "page.close", "back to the terminal's own screen, when the agent is idle"],
  ["dialog", "escape", "dialog.refuse", "skip or deny; once more interrupts"],
  ["dialog", "ctrl+c", "dialog.refuse", "skip or deny; once more interrupts"],
  ["dialog", "up", "dialog.up", "the choice above"],
  ["dialog", "down", "dialog.down", "the choice below"],
  ["dialog", "tab", "dialog.mark", "mark or unmark where several may be chosen"],
  ["dialog", "enter", "dialog.choose", "choose"],
  ["dialog", "pageUp", "dialog.pageUp", "a page up in the command or diff that is asked about"],
  ["dialog", "pageDown", "dialog.pageDown", "a page down in it"],
  ["dialog", "ctrl+o", "dialog.page", "all of it, and back"],
  ["dialog", "ctrl+t", "dialog.page", "all of it, and back"],
  ["bashMode", "escape", "mode.leave", "leave bash mode"],
  ["bashMode", "backspace", "mode.backspace", "leave bash mode when there is nothing before the cursor"],
  ["command", "ctrl+c", "command.interrupt", "interrupt your command"],
  ["text", "ctrl+c", "text.clear", "clear the text"],
  ["running", "escape", "run.interrupt", "interrupt the agent"],
  ["running", "ctrl+c", "run.interrupt", "interrupt the agent"],
  ["running", "ctrl+enter", "run.steer", "tell the running agent now, without waiting for its end"],
  ["menu", "up", "menu.up", "the entry above"],
  ["menu", "down", "menu.down", "the entry below"],
  ["menu", "tab", "menu.complete", "complete"],
  ["menu", "enter", "menu.choose", "choose"],
  ["menu", "escape", "menu.close", "close the menu"],
  ["paused", "ctrl+c", "queue.clear", "drop the queue"],
  ["editor", "enter", "text.submit", "send; while the agent works, queue"],
  ["editor", "alt+up", "queue.edit", "take a queued prompt back into the editor"],
  [
    "editor",
    "backspace",
    "attachment.remove",
    "leave the last attachment out, when there is nothing before the cursor",
  ],
  ["editor", "tab", "text.tab", "complete a word, else the next mode"],
  ["editor", "shift+tab", "permissions.next", "the next permissions: default, accept-edits, plan"],
  ["editor", "ctrl+t", "page.unfold", "everything unfolded, full screen"],
  ["editor", "ctrl+o", "page.open", "full screen and back"],
  ["editor", "ctrl+z", "process.stop", "to the shell; fg brings codebuff back"],
  ["editor", "ctrl+v", "clipboard.paste", "paste text or an image"],
  ["editor", "ctrl+g", "text.external", "edit in $EDITOR"],
  ["editor", "ctrl+c", "exit.ask", "twice: leave"],
  ["editor", "ctrl+d", "exit.end", "leave, when there is no text"],
] as const satisfies readonly (readonly [context: Context, key: KeyId, action: string, help: string])[];

export type Action = (typeof keymap)[number][2];

/** The action of a key where these contexts hold; undefined means that it only writes. */
export function actionFor(sequence: string, holds: ReadonlySet<Context>): Action | undefined {
  for (const context of contexts) {
    if (!holds.has(context)) continue;
    const row = keymap.find(([where, key]) => where === context && matchesKey(sequence, key));
    if (row !== undefined) return row[2];
  }
  return undefined;
}
