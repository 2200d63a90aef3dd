import type { SlashCommand } from "./slash-command.ts";
import { slashCommands } from "./table.ts";

export type Parsed =
  | { readonly kind: "prompt" }
  | { readonly kind: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly kind: "unknown"; readonly name: string; readonly nearest: string };

/** What a typed text is. A path such as `/usr/bin/env is missing` is no command; a mistyped command is never sent. */
export function parseInput(text: string): Parsed {
  const typed = text.trim();
  const word = slashCommands.find(({ isWord, name }) => isWord === true && name === typed.toLowerCase());
  if (word !== undefined) return { kind: "command", command: word, argument: "" };
  const [, name = "", argument = ""] = /^\/([a-z?][\w:?-]*)(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  if (name === "") return { kind: "prompt" };
  const wanted = name.toLowerCase();
  for (const command of slashCommands) {
    if (command.name.endsWith(":") && wanted.startsWith(command.name)) {
      const rest = name.slice(command.name.length);
      return { kind: "command", command, argument: argument === "" ? rest : `${rest} ${argument}` };
    }
    if (command.name === wanted || command.aliases?.includes(wanted) === true)
      return { kind: "command", command, argument };
  }
  return { kind: "unknown", name, nearest: nearestTo(wanted) };
}

function nearestTo(name: string): string {
  const names = slashCommands.flatMap(({ name: own, aliases = [] }) => [own, ...aliases]);
  return (
    names.map((one) => [distance(name, one), one] as const).sort(([one], [other]) => one - other)[0]?.[1] ?? "help"
  );
}

/** How many letters have to be changed, added or left out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, wanted] of [...other].entries()) {
      const change = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
