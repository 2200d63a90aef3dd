import { type OperationId, operationIds, operations } from "@muster/schema";
import type { Command } from "commander";
import { acpCommand } from "./acp/acp-command.ts";
import { attachCommand } from "./commands/attach-command.ts";
import { completionCommand } from "./commands/completion-command.ts";
import { convertCommand } from "./commands/convert-command.ts";
import { doctorCommand } from "./commands/doctor-command.ts";
import { extractCommands } from "./commands/extract-command.ts";
import { logsCommand } from "./commands/logs-command.ts";
import { operationCommand } from "./commands/operation-command.ts";
import { statusCommand } from "./commands/status-command.ts";
import { stopCommand } from "./commands/stop-command.ts";
import { chatCommand, runCommand } from "./commands/talk-commands.ts";
import type { CommandEnvironment } from "./environment/command-environment.ts";
import type { Outcome } from "./environment/exit.ts";
import { serveCommand } from "./serve/serve-command.ts";
import { version } from "./version.ts";

/** In the order in which help lists them. */
export function addCommands(program: Command, environment: CommandEnvironment, outcome: Outcome): void {
  program.addCommand(runCommand(environment, outcome));
  program.addCommand(chatCommand(environment, outcome));
  program.addCommand(serveCommand(environment));
  program.addCommand(acpCommand(environment, version));
  program.addCommand(convertCommand(environment, outcome));
  program.addCommand(statusCommand(environment, outcome));
  program.addCommand(stopCommand(environment, outcome));
  program.addCommand(logsCommand(environment, outcome));
  program.addCommand(doctorCommand(environment, outcome));
  program.addCommand(completionCommand(environment));
  for (const id of idsFor(environment.args)) {
    const groups = operations[id].cli.slice(0, -1);
    groups.reduce(groupOf, program).addCommand(operationCommand(id, environment, outcome));
  }
  for (const command of extractCommands(environment)) groupOf(program, "credentials").addCommand(command);
  groupOf(program, "terminals").addCommand(attachCommand(environment, outcome));
  for (const command of program.commands) if (command.description() === "") describeGroup(command);
}

/** Only the operation that is called; all of them when the words name none, for help and suggestions (15 ms). */
function idsFor(args: readonly string[]): OperationId[] {
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
  processes: "Programs beside the agents: run, started, read, ended",
  terminals: "Terminals of processes: looked at, typed in, recorded",
  files: "Files on the daemon's machine, under the roots it allows",
  tickets: "For browsers, which cannot send a token",
};
