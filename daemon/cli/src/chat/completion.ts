import { pathsLike } from "../talk/attachments.ts";
import type { Completion } from "../terminal/prompt-screen.ts";
import { slashNames } from "./slash-commands.ts";

/** What Tab offers: commands at the beginning, files behind an `@` and behind `/attach`. */
export async function completionOf(before: string, directory: string): Promise<Completion> {
  const [, command] = /^(\/\w*)$/.exec(before) ?? [];
  if (command !== undefined) {
    const words = slashNames.map((name) => `/${name}`).filter((name) => name.startsWith(command));
    return { length: command.length, words };
  }
  const [, path] = /^\/attach\s+(\S*)$/.exec(before) ?? /(?:^|\s)@(\S*)$/.exec(before) ?? [];
  if (path === undefined) return { length: 0, words: [] };
  return { length: path.length, words: await pathsLike(path, directory) };
}
