import { quoteForShell } from "@muster/core";
import type { SimpleCommand } from "./bash-reader.ts";
import type { CalledProgram, CommandReading } from "./called-programs.ts";
import type { ShellWord } from "./shell-word.ts";

/**
 * A command as rules know it: its words with one blank between them, quoted where a word is more than letters, so that
 * `rm 'a b'` and `rm a b` are two lines.
 */
export function writtenLine({ words }: Pick<SimpleCommand, "words">): string {
  return words.map(writtenWord).join(" ");
}

function writtenWord({ text, glob }: ShellWord): string {
  const isPlain = /^[\w@%+=:,./~^-]+$/.test(text) || (glob === true && /^[\w@%+=:,./~^*?[\]-]+$/.test(text));
  return isPlain ? text : quoteForShell(text);
}

/** Every way a line can be named by a rule that denies or asks: as a whole, each command, and each program behind sudo, env or `sh -c`. */
export function namesOfLine({ text, commands, programs }: CommandReading): string[] {
  const plain = (words: readonly ShellWord[]) => words.map((word) => word.text).join(" ");
  return [
    text.trim(),
    ...commands.flatMap((command) => [writtenLine(command), plain(command.words)]),
    ...programs.flatMap(({ name, args }) => [plain([{ text: name, sure: true }, ...args])]),
  ].filter((line) => line !== "");
}

/**
 * A program whose command can be told from its words alone: no variables, no words only the shell knows, no wrapper in
 * front of it, and called by its name and not by a path.
 */
export function isPlainCall({ command, through, name }: CalledProgram): boolean {
  const [first] = command.words;
  return (
    through.length === 0 &&
    first?.text === name &&
    command.assignments.length === 0 &&
    (command.pipes ?? []).length === 0 &&
    command.words.every(isPlainWord)
  );
}

function isPlainWord({ text, sure, splits }: ShellWord): boolean {
  // A word with a control character is shown otherwise than it is run.
  return sure && splits !== true && !/\p{Cc}/u.test(text);
}
