import type { Command, Option } from "commander";
import { agentNames } from "../fields/operation-fields.ts";

/** What may stand where the last word is being typed: names of commands, options, values; nothing where only the user knows. */
export function candidatesFor(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? "";
  let command = program;
  let argument = 0;
  let waiting: Option | undefined;
  for (const word of words.slice(0, -1)) {
    const known = command.commands.find((own) => own.name() === word);
    if (waiting !== undefined) waiting = undefined;
    else if (word.startsWith("-")) waiting = valueOption(command, word);
    else if (known !== undefined) command = known;
    else argument++;
  }
  const offered = waiting === undefined ? namesIn(command, typed, argument) : (waiting.argChoices ?? []);
  return offered.filter((name) => name.startsWith(typed)).sort();
}

function namesIn(command: Command, typed: string, argument: number): string[] {
  if (typed.startsWith("-")) {
    const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => (long ? [long] : []));
    return [...options, "--help"];
  }
  if (command.commands.length > 0) return command.commands.map((own) => own.name());
  const wanted = command.registeredArguments[argument];
  return wanted?.name() === "agent" ? agents : [...(wanted?.argChoices ?? [])];
}

/** An option that takes the next word. */
function valueOption(command: Command, word: string): Option | undefined {
  return command.options.find(
    ({ long, short, required, optional }) => (long === word || short === word) && (required || optional),
  );
}

const agents = agentNames.split(/, | or /);
