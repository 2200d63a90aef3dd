import { Command } from "commander";
import type { CommandEnvironment } from "./environment/command-environment.ts";
import { exitCodes, type Outcome } from "./environment/exit.ts";
import { withBodyOption } from "./fields/format-options.ts";
import { serveCommand } from "./serve/serve-command.ts";
import { version } from "./version.ts";

export type { CommandEnvironment };

/** Runs one command to its end and resolves with the exit code; every error is written, none is thrown. */
export async function runCommandLine(environment: CommandEnvironment): Promise<number> {
  const outcome: Outcome = { code: exitCodes.ok, errorFormat: "text" };
  try {
    const [first, ...typed] = environment.args;
    if (first === "__complete") return await complete(environment, typed, outcome);
    const program = await programOf(environment, outcome);
    await program.parseAsync(askedWords(program, withServe(withBodyOption(environment.args))), { from: "user" });
    return outcome.code;
  } catch (error) {
    const { reportOf } = await import("./error-report.ts");
    const { code, text } = reportOf(error, outcome.errorFormat);
    environment.stderr.write(text);
    return code;
  }
}

/** For the shells: what may stand where the cursor is, a line each. */
async function complete(environment: CommandEnvironment, words: readonly string[], outcome: Outcome): Promise<number> {
  const program = await programOf({ ...environment, args: ["help"] }, outcome);
  const { candidatesFor } = await import("./completion/candidates.ts");
  environment.stdout.write(
    candidatesFor(program, words)
      .map((word) => `${word}\n`)
      .join(""),
  );
  return exitCodes.ok;
}

/** `sandbox-daemon --port 0` is `sandbox-daemon serve --port 0`. */
function withServe(args: readonly string[]): string[] {
  const [first = "--"] = args;
  const own = ["-h", "--help", "-V", "--version"].includes(first);
  return first.startsWith("-") && !own ? ["serve", ...args] : [...args];
}

/** Help of a command that does not exist is no help: without the wish for it the word itself is complained of. */
function askedWords(program: Command, args: string[]): string[] {
  let command = program;
  for (const word of args) {
    const own = command.commands.find((known) => known.name() === word);
    if (own !== undefined) command = own;
    else if (word.startsWith("-") || word === "help" || command.commands.length === 0) return args;
    else return args.filter((arg) => arg !== "--help" && arg !== "-h");
  }
  return args;
}

async function programOf(environment: CommandEnvironment, outcome: Outcome): Promise<Command> {
  const { stdout, stderr } = environment;
  const program = new Command("sandbox-daemon")
    .description("One API for every coding agent. Without a command it starts the daemon (serve).")
    .version(version)
    // Otherwise `agents install mock --version 2` would print our version instead of refusing the option.
    .enablePositionalOptions()
    .addHelpText("after", rootHelp);
  if (withServe(environment.args)[0] === "serve") program.addCommand(serveCommand(environment));
  // Only here: the other commands are those of clients, and a third of a start.
  else (await import("./every-command.ts")).addCommands(program, environment, outcome);
  for (const command of withSubcommands(program)) {
    const path = pathOf(command).join(" ");
    command
      .exitOverride()
      .showHelpAfterError(`${path} --help tells what there is`)
      .configureOutput({
        writeOut: (text) => void stdout.write(text),
        writeErr: (text) => void stderr.write(text),
      });
  }
  return program;
}

/** The words that call a command. */
function pathOf(command: Command): string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

const rootHelp = `
Exit codes: 0 ok; 1 a problem from the daemon, a turn that failed, an agent that did not start; 2 wrong usage;
3 cannot connect; 130 interrupted: the turn, or a command that was to see its end.

Examples:
  sandbox-daemon run mock help
  sandbox-daemon --port 2468
  sandbox-daemon sessions create s1 mock
  sandbox-daemon sessions stream-message s1 'Say hello'
`;
