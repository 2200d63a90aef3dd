import { wordDistance } from "@muster/core";
import type { SlashCommand } from "./slash-command.ts";
import { slashCommands } from "./table.ts";

export type Parsed =
  | { readonly kind: "prompt" }
  | { readonly kind: "command"; readonly command: SlashCommand; readonly argument: string }
  | { readonly kind: "unknown"; readonly name: string; readonly nearest: string | undefined };

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

/** Undefined when no name is near: a third of its letters may be wrong. */
function nearestTo(name: string): string | undefined {
  const names = slashCommands.flatMap(({ name: own, aliases = [] }) => [own, ...aliases]);
  const [nearest] = names.map((one) => [wordDistance(name, one), one] as const).sort(([one], [other]) => one - other);
  return nearest !== undefined && nearest[0] <= Math.ceil(name.length / 3) ? nearest[1] : undefined;
}
