import { paintFor } from "@muster/core";
import { type CreateSession, operations, type Session } from "@muster/schema";
import { Argument, Command, Option } from "commander";
import { agentTokenOf } from "../environment/agent-token.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { directoryFor } from "../environment/create-directory.ts";
import { exitCodes, type Format, type Outcome, UsageError } from "../environment/exit.ts";
import { isLoopback } from "../environment/loopback.ts";
import { agentTokenFileOption, optionsOf } from "../fields/field-options.ts";
import { agentNames, fieldsOf } from "../fields/operation-fields.ts";
import { checkBody } from "../fields/operation-input.ts";
import { Conversation, type ConversationOptions } from "./conversation.ts";
import type { SessionWish } from "./open-session.ts";
import { pipedText } from "./piped-text.ts";

/** `run`: one message to an agent and everything that comes of it. */
export function runCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = talkCommand("run", "Gives an agent one task and shows what it does; asks you what it asks")
    .addArgument(new Argument("[message]", "the task; what comes through a pipe is added to it, or is the task"))
    .addOption(
      new Option(
        "--format <format>",
        "json writes the events and asks nobody; without a terminal everything is declined",
      ).choices(["text", "json"]),
    )
    .addOption(
      new Option("--stdin <use>", "what a pipe brings: a part of the message, or answers to what the agent asks")
        .choices(["message", "answers"])
        .default("message"),
    )
    .addHelpText("after", `${keyHelp}\nExamples:\n${runExamples}`);
  return command.action(async (agent: string, message?: string) => {
    const { format = "text", stdin: use } = command.opts<{ format?: Format; stdin: "message" | "answers" }>();
    outcome.errorFormat = format;
    const isTold = message !== undefined && message !== "-";
    const task = isTold && use === "answers" ? message : await taskOf(isTold ? message : undefined, environment);
    const conversation = await openConversation(
      command,
      agent,
      { format, readsAnswers: use === "answers" },
      environment,
    );
    try {
      outcome.code = await conversation.say(task);
    } finally {
      await conversation.close();
    }
    const { stderr, env } = environment;
    const next = `session ${conversation.session.sessionId} · sandbox-daemon run ${agent} --continue "…" goes on`;
    if (stderr.isTTY === true) stderr.write(`${paintFor(stderr, env).dim(next)}\n`);
  });
}

/** `chat`: one message after the other, until there are no more. */
export function chatCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = talkCommand("chat", "A conversation with an agent; Ctrl-C interrupts it, Ctrl-D leaves")
    .addArgument(new Argument("[message]", "the first message"))
    .addHelpText("after", `${keyHelp}\nExamples:\n${chatExamples}`);
  return command.action(async (agent: string, first?: string) => {
    const conversation = await openConversation(command, agent, { format: "text", readsAnswers: true }, environment);
    const { stdout, env } = environment;
    const paint = paintFor(stdout, env);
    const prompt = paint.bold("› ");
    if (stdout.isTTY === true) stdout.write(`${paint.dim(chatGreeting(conversation.session))}\n`);
    try {
      let message = first;
      while (!conversation.isLeaving) {
        message ??= await conversation.read(`\n${prompt}`);
        if (message === undefined || /^\s*\/(exit|quit)\s*$/.test(message)) break;
        if (message.trim() !== "") await conversation.say(message);
        message = undefined;
      }
    } finally {
      outcome.code = conversation.isLeaving ? exitCodes.interrupted : exitCodes.ok;
      await conversation.close();
    }
  });
}

function chatGreeting({ sessionId, agent, agentVersion, model, directory }: Session): string {
  const who = [agent, agentVersion, model].filter(Boolean).join(" ");
  return `${who} in ${directory} · session ${sessionId}\nCtrl-C interrupts, Ctrl-D leaves`;
}

/** What both have: everything a session can be created with, and where the daemon is. */
function talkCommand(name: string, description: string): Command {
  const command = new Command(name).description(description).argument("<agent>", agentNames);
  command.addOption(new Option("-c, --continue", "goes on with the last session of this agent in this directory"));
  command.addOption(new Option("--session <id>", "goes on with this session, or creates it"));
  for (const field of sessionFields()) for (const option of optionsOf(field)) command.addOption(option);
  command.addOption(agentTokenFileOption());
  command.addOption(
    new Option("--endpoint <url>", "a daemon to use; default: the one that runs here, or an own one in this process"),
  );
  command.addOption(new Option("--token <token>", "the token of that daemon; default: as for every other command"));
  command.addOption(
    new Option("--data-dir <path>", "where the daemon on this machine keeps its sessions; default: as for serve"),
  );
  return command;
}

async function openConversation(
  command: Command,
  agent: string,
  how: Pick<ConversationOptions, "format" | "readsAnswers">,
  environment: CommandEnvironment,
) {
  const given = command.opts();
  if (given.continue && given.session !== undefined)
    throw new UsageError("give either --continue or --session, not both");
  const settings: Record<string, unknown> = {};
  for (const field of sessionFields()) {
    for (const option of optionsOf(field)) settings[field.name] ??= given[option.attributeName()];
  }
  settings.token = await agentTokenOf(given, environment);
  const create = operations["sessions.create"];
  checkBody(create, fieldsOf(create), { agent, ...settings });
  const wish = (endpoint: string): SessionWish => {
    const directory = directoryFor(given.directory, isLoopback(endpoint), environment);
    const plain = { ...settings, directory } as Omit<CreateSession, "agent">;
    return { agent, settings: plain, sessionId: given.session, continues: given.continue === true };
  };
  return await Conversation.open({ connection: given, wish, ...how, environment });
}

function sessionFields() {
  return fieldsOf(operations["sessions.create"]).filter(({ name }) => name !== "agent" && name !== "reuse");
}

/** The message, and below it what came through the pipe. */
async function taskOf(message: string | undefined, { stdin, stderr }: CommandEnvironment): Promise<string> {
  if (stdin.isTTY === true) {
    if (message !== undefined) return message;
    throw new UsageError('say what to do: sandbox-daemon run <agent> "…"');
  }
  const piped = await pipedText(stdin);
  if (piped === undefined) {
    if (message === undefined) throw new UsageError("nothing came through standard input for three seconds");
    stderr.write("nothing came through standard input for three seconds; going on without it\n");
  }
  const task = [message, piped].filter(Boolean).join("\n\n");
  if (task === "") throw new UsageError("there is no task in standard input");
  return task;
}

const keyHelp = `
A daemon that runs on this machine is used; otherwise this command is one, for as long as it runs. The agent's key is
read from the daemon's environment (ANTHROPIC_API_KEY …), or given with --agent-token-file.
Ctrl-C interrupts the turn, a second one leaves.
Exit codes: 0 the turn was completed, 1 it failed, 2 wrong usage, 3 cannot connect, 130 it was interrupted.
`;
const runExamples = `  sandbox-daemon run claude "Why does the parser test fail?"
  sandbox-daemon run claude --continue "Now fix it"
  git diff | sandbox-daemon run codex --permission-mode plan "Review this"
`;
const chatExamples = `  sandbox-daemon chat claude
  sandbox-daemon chat mock "help"
`;
