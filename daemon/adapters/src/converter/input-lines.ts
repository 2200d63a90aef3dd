import { Command } from "../commands.ts";
import type { Converter } from "./converter.ts";
import { parseLine } from "./parse-line.ts";

/** A line that is no command to the agent, as it came. */
interface UnparsedInput {
  type: "unparsed";
  raw: unknown;
  error: string;
}

/** An agent's own input, both ways. A line alone does not tell what was asked: answers name their questions by their place. */
export interface InputLines {
  /** The command a line to the agent says. Nothing in a line makes it throw. */
  read(line: string): Command | UnparsedInput;
  /** The lines with which the agent is told a command, as values to be written as JSON. */
  write(command: Command): readonly object[];
}

export function inputLines<State, Native extends object>(
  converter: Converter<State, Native>,
  commandOf: (native: unknown) => Command | null,
  /** The life a command meets. */
  stateFor: (command: Command) => State = () => converter.initial(),
): InputLines {
  return {
    read: (line) => readInput(line, commandOf),
    write: (command) => converter.step(stateFor(command), { command }).replies,
  };
}

/** Our own commands as lines. */
export const universalInput: InputLines = {
  read: (line) => readInput(line, (native) => Command.safeParse(native).data ?? null),
  write: (command) => [command],
};

function readInput(line: string, commandOf: (native: unknown) => Command | null): Command | UnparsedInput {
  try {
    const raw = parseLine(line);
    return commandOf(raw) ?? { type: "unparsed", raw, error: "The line is no command" };
  } catch (error) {
    return { type: "unparsed", raw: line, error: (error as Error).message };
  }
}
