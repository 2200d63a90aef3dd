import { type OperationId, operationIds, operations } from "@muster/schema";
import { Command } from "commander";
import { acpCommand } from "./acp/acp-command.ts";
import type { CommandEnvironment } from "./command-environment.ts";
import { convertCommand } from "./convert-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { exitCodes, type Outcome, reportOf } from "./exit.ts";
import { extractCommands } from "./extract-command.ts";
import { operationCommand } from "./operation-command.ts";
import { serveCommand } from "./serve-command.ts";
import { chatCommand, runCommand } from "./talk/talk-commands.ts";
import { version } from "./version.ts";

export type { CommandEnvironment };

/** Runs one command to its end and resolves with the exit code; every error is written, none is thrown. */
export async function runCommandLine(environment: CommandEnvironment): Promise<number> {
  const outcome: Outcome = { code: exitCodes.ok, errorFormat: "text" };
  try {
    const program = programOf(environment, outcome);
    await program.parseAsync(askedWords(program, withServe(environment.args)), { from: "user" });
    return outcome.code;
  } catch (error) {
    const { code, text } = reportOf(error, outcome.errorFormat);
    environment.stderr.write(text);
    return code;
  }
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

function programOf(environment: CommandEnvironment, outcome: Outcome): Command {
  const { stdout, stderr } = environment;
  const program = new Command("sandbox-daemon")
    .description("One API for every coding agent. Without a command it starts the daemon (serve).")
    .version(version)
    // Otherwise `agents install mock --version 2` would print our version instead of refusing the option.
    .enablePositionalOptions()
    .addHelpText("after", rootHelp);
  program.addCommand(runCommand(environment, outcome));
  program.addCommand(chatCommand(environment, outcome));
  program.addCommand(serveCommand(environment));
  program.addCommand(acpCommand(environment, version));
  program.addCommand(convertCommand(environment, outcome));
  program.addCommand(doctorCommand(environment, outcome));
  for (const id of idsFor(environment.args)) {
    const groups = operations[id].cli.slice(0, -1);
    groups.reduce(groupOf, program).addCommand(operationCommand(id, environment, outcome));
  }
  for (const command of extractCommands(environment)) groupOf(program, "credentials").addCommand(command);
  for (const command of withSubcommands(program)) {
    if (command.description() === "") describeGroup(command);
    command.exitOverride().configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    });
  }
  return program;
}

/** Only the operation that is called; all of them when the words name none, for help and suggestions (15 ms). */
function idsFor(args: readonly string[]): OperationId[] {
  if (withServe(args)[0] === "serve") return [];
  const called = operationIds.filter((id) => operations[id].cli.every((word, at) => word === args[at]));
  return called.length > 0 ? called : operationIds;
}

function groupOf(parent: Command, name: string): Command {
  return parent.commands.find((command) => command.name() === name) ?? parent.command(name);
}

/** In the list of commands a group is what it holds, in its own help what it is for. */
function describeGroup(group: Command): void {
  const held = group.commands.map((own) => own.name()).join(", ");
  group.summary(held).description(groupTexts[group.name()] ?? held);
}

const groupTexts: Readonly<Record<string, string>> = {
  agents: "The agents: which there are, what they offer, installing and removing them",
  sessions: "Sessions: conversations with agents, each in a directory of its own",
  events: "Events of many sessions at once",
  ui: "For pages made with the AI SDK's useChat",
  credentials: "Keys of agents: what is found on this machine",
  tickets: "For browsers, which cannot send a token",
};

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
