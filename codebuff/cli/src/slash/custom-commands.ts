import type { CustomCommand } from "@muster/codebuff-sdk";
import type { Chat } from "../chat/chat.ts";

/** The commands of the person's own and of the project, read anew: files come and go. */
export async function customCommands(chat: Chat): Promise<readonly CustomCommand[]> {
  const { listCommands } = await import("@muster/codebuff-sdk");
  return listCommands({ cwd: chat.options.cwd, home: chat.io.home });
}

/** The one of this name; `project:` and `user:` before it say whose, for names that are taken here. */
export async function customCommand(chat: Chat, name: string): Promise<CustomCommand | undefined> {
  const [, whose, rest = name] = /^(?:(project|user):)?(.+)$/.exec(name) ?? [];
  const all = await customCommands(chat);
  return all.find((one) => one.name === name || (one.name === rest && (whose === undefined || one.whose === whose)));
}
