import type { Chat } from "../chat/chat.ts";

export const groups = ["talk", "mode", "work tree", "input", "account", "other"] as const;

/** One command: menu, help, parser and tests read it. */
export interface SlashCommand {
  /** Without the slash. One that ends with a colon is followed by a name: `/skill:review`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: (typeof groups)[number];
  /** How its argument is written in help; a command without one ignores what follows. */
  readonly argument?: string;
  readonly help: string;
  /** It also works without a slash when it is typed alone. */
  readonly isWord?: boolean;
  run(chat: Chat, argument: string): void | Promise<void>;
}
