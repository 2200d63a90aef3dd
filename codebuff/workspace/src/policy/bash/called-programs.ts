import type { ReadBash, ShellFeature, SimpleCommand } from "./bash-reader.ts";
import { commandsInVariables, innerCommands } from "./inner-commands.ts";
import type { ShellWord } from "./shell-word.ts";
import { programName, unwrap } from "./wrappers.ts";

export interface CalledProgram {
  /** Without its directory; empty when only the shell knows it. */
  readonly name: string;
  readonly args: readonly ShellWord[];
  readonly command: SimpleCommand;
  /** Wrappers in front of it, such as sudo or xargs. */
  readonly through: readonly string[];
}

export interface CommandReading {
  readonly text: string;
  readonly programs: readonly CalledProgram[];
  /** Redirections of commands, also of those without a program. */
  readonly commands: readonly SimpleCommand[];
  /** False when some part can only be known by running it. */
  readonly complete: boolean;
  readonly features: ReadonlySet<ShellFeature>;
  readonly variables: readonly string[];
  readonly loopWords: readonly ShellWord[];
}

const deepest = 8;

/** Follows wrappers, `sh -c`, `eval` and everything else that runs a text, down to the programs that are really called. */
export function readCommand(text: string, read: ReadBash, depth = 0): CommandReading {
  const reading = read(text);
  const programs: CalledProgram[] = [];
  const commands: SimpleCommand[] = [...reading.commands];
  const features = new Set(reading.features);
  const variables = [...reading.variables];
  const loopWords = [...reading.loopWords];
  let complete = reading.complete;
  const follow = (inner: ShellWord) => {
    const nested = depth < deepest ? readCommand(inner.text, read, depth + 1) : undefined;
    complete &&= inner.sure && (nested?.complete ?? false);
    programs.push(...(nested?.programs ?? []));
    commands.push(...(nested?.commands ?? []));
    variables.push(...(nested?.variables ?? []));
    loopWords.push(...(nested?.loopWords ?? []));
    for (const feature of nested?.features ?? []) features.add(feature);
  };
  for (const command of reading.commands) {
    for (const program of programsOf(command)) {
      programs.push(program);
      innerCommands(program).forEach(follow);
    }
    commandsInVariables(command).forEach(follow);
  }
  if (evaluatesData(programs, features)) lateSubstitutions(reading.commands).forEach(follow);
  return { text, programs, commands, complete, features, variables, loopWords };
}

function programsOf(command: SimpleCommand): CalledProgram[] {
  return unwrap(command.words).flatMap(({ words, through }) => {
    const [first, ...args] = words;
    return first === undefined ? [] : [{ name: programName(first), args, command, through }];
  });
}

/** Arithmetic, `test -v`, `printf -v` and the like run the substitutions in the text of a variable or a name. */
function evaluatesData(programs: readonly CalledProgram[], features: ReadonlySet<ShellFeature>): boolean {
  return (
    features.has("arithmetic") ||
    features.has("expansion") ||
    features.has("declaration") ||
    programs.some(
      ({ name, args }) =>
        /^(?:let|read|unset|wait|mapfile|readarray|printf|test|\[|\[\[|eval)$/.test(name) &&
        (name === "let" || name === "[[" || args.some((arg) => /^-[a-zA-Z]*[avptuinR]|^\w+\[/.test(arg.text))),
    )
  );
}

/** Substitutions inside words that were quoted: text now, commands when the word is evaluated. */
function lateSubstitutions(commands: readonly SimpleCommand[]): ShellWord[] {
  const words = commands.flatMap((command) => [...command.words, ...command.assignments.map(({ value }) => value)]);
  return words
    .filter((word) => word.sure && /\$\(|`/.test(word.text))
    .map((word) => ({ text: `: "${word.text.replaceAll('"', "")}"`, sure: true }));
}
