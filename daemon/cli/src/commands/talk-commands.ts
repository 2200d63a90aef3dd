import { paintFor } from "@muster/core";
import { type Attachment, type CreateSession, operations } from "@muster/schema";
import { Argument, Command, Option } from "commander";
import { agentTokenOf } from "../environment/agent-token.ts";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { directoryFor } from "../environment/create-directory.ts";
import { exitCodes, type Format, type Outcome, UsageError } from "../environment/exit.ts";
import { isLoopback } from "../environment/loopback.ts";
import { agentTokenFileOption, optionsOf } from "../fields/field-options.ts";
import { formatOption, jsonOption } from "../fields/format-options.ts";
import { agentNames, fieldsOf } from "../fields/operation-fields.ts";
import { checkBody } from "../fields/operation-input.ts";
import { attachmentOf, type FilePlace } from "../talk/attachments.ts";
import { Conversation, type ConversationOptions } from "../talk/conversation.ts";
import type { SessionWish } from "../talk/open-session.ts";
import { openTalk, type TalkOptions } from "../talk/open-talk.ts";
import { pipedText } from "../talk/piped-text.ts";
import { relativeTime } from "../text/relative-time.ts";

/** `run`: one message to an agent and everything that comes of it. */
export function runCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = talkCommand("run", "Gives an agent one task and shows what it does; asks you what it asks")
    .addArgument(new Argument("[message]", "the task; what comes through a pipe is added to it, or is the task"))
    .addOption(
      formatOption("json writes the events and asks nobody; without a terminal everything is declined").helpGroup(
        groups.message,
      ),
    )
    .addOption(jsonOption().helpGroup(groups.message))
    .addOption(
      new Option("--stdin <use>", "what a pipe brings: a part of the message, or answers to what the agent asks")
        .choices(["message", "answers"])
        .default("message")
        .helpGroup(groups.message),
    )
    .addHelpText("after", `${vocabularies}${keyHelp}\nExamples:\n${runExamples}`);
  return command.action(async (agent: string, message?: string) => {
    const given = command.opts<RunOptions>();
    const format: Format = given.json ? "json" : (given.format ?? "text");
    outcome.errorFormat = format;
    const isTold = message !== undefined && message !== "-";
    const isAnswers = given.stdin === "answers";
    const task = isTold && isAnswers ? message : await taskOf(isTold ? message : undefined, environment);
    const talk = await talkOptions(command, agent, environment);
    const files = await attachedFiles(given.attach, talk.place);
    const conversation = await Conversation.open({ ...talk, format, readsAnswers: isAnswers });
    const { stderr, env } = environment;
    const tell = (words: string) => {
      if (stderr.isTTY === true) stderr.write(`${paintFor(stderr, env).dim(words)}\n`);
    };
    const { sessionId, name, lastUsedAt } = conversation.session;
    if (given.continue) tell(`goes on with ${name ?? sessionId} · ${relativeTime(lastUsedAt, Date.now())}`);
    try {
      outcome.code = await conversation.say(task, files);
    } finally {
      await conversation.close();
    }
    tell(`session ${sessionId} · sandbox-daemon run ${agent} --continue "…" goes on`);
  });
}

interface RunOptions {
  format?: Format;
  json?: boolean;
  stdin: "message" | "answers";
  attach?: string[];
  continue?: boolean;
}

/** `chat`: one message after the other, until there are no more. */
export function chatCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = talkCommand("chat", "A conversation with an agent; Ctrl-C interrupts it, Ctrl-D leaves")
    .addArgument(new Argument("[message]", "the first message"))
    .addHelpText("after", `${vocabularies}${keyHelp}\nExamples:\n${chatExamples}`);
  return command.action(async (agent: string, first?: string) => {
    const { attach, dataDir } = command.opts<{ attach?: string[]; dataDir?: string }>();
    const options = await talkOptions(command, agent, environment);
    const files = await attachedFiles(attach, options.place);
    const isTerminal = environment.stdin.isTTY === true && environment.stdout.isTTY === true;
    if (!isTerminal || environment.env.TERM === "dumb") {
      outcome.code = await chatByLines({ ...options, format: "text", readsAnswers: true }, first, files);
      return;
    }
    const talk = await openTalk(options);
    // Only here: nobody else needs a screen.
    const { Chat } = await import("../chat/chat.ts");
    const chat = await Chat.open({ talk, environment, dataDirectory: dataDir });
    try {
      outcome.code = await chat.run(first, files);
    } finally {
      const leave = outcome.code === exitCodes.interrupted ? talk.daemon.kill() : talk.daemon.close();
      await leave;
    }
  });
}

/** A chat through a pipe, or at a terminal that can draw nothing: a line is a message, or the answer to what was asked. */
async function chatByLines(options: ConversationOptions, first: string | undefined, files: readonly Attachment[]) {
  const conversation = await Conversation.open(options);
  try {
    let message = first;
    let attached = files;
    while (!conversation.isLeaving) {
      message ??= await conversation.read("\n› ");
      if (message === undefined || /^\s*\/(exit|quit)\s*$/.test(message)) break;
      if (message.trim() !== "") {
        await conversation.say(message, attached);
        attached = [];
      }
      message = undefined;
    }
    return conversation.isLeaving ? exitCodes.interrupted : exitCodes.ok;
  } finally {
    await conversation.close();
  }
}

/** What both have: everything a session can be created with, and where the daemon is. */
function talkCommand(name: string, description: string): Command {
  const command = new Command(name).description(description).argument("<agent>", agentNames);
  const add = (option: Option, group: string) => command.addOption(option.helpGroup(group));
  add(
    new Option("-c, --continue", "goes on with the last used session of this agent in this directory"),
    groups.session,
  );
  add(new Option("--session <id>", "goes on with this session, or creates it"), groups.session);
  add(
    new Option("--attach <file>", "a file or a picture that goes with the message (repeatable)").argParser(
      (path: string, before: string[] = []) => [...before, path],
    ),
    groups.message,
  );
  for (const field of sessionFields()) {
    for (const option of optionsOf(field)) add(option, fieldGroups[field.name] ?? groups.agent);
  }
  add(agentTokenFileOption(), groups.keys);
  add(
    new Option("--endpoint <url>", "a daemon to use; default: the one that runs here, or an own one in this process"),
    groups.daemon,
  );
  add(new Option("--token <token>", "the token of that daemon; default: as for every other command"), groups.daemon);
  add(
    new Option("--data-dir <path>", "where the daemon on this machine keeps its sessions; default: as for serve"),
    groups.daemon,
  );
  return command;
}

const groups = {
  message: "The message:",
  session: "The session:",
  agent: "How the agent works:",
  may: "What it may do:",
  keys: "Its key and what it can reach:",
  daemon: "The daemon:",
} as const;

/** Field → its group; the others say how the agent works. */
const fieldGroups: Readonly<Record<string, string>> = {
  title: groups.session,
  directory: groups.session,
  permissionMode: groups.may,
  dangerouslySkipPermissions: groups.may,
  limits: groups.may,
  token: groups.keys,
  baseUrl: groups.keys,
  validateToken: groups.keys,
  env: groups.keys,
  mcp: groups.keys,
};

async function talkOptions(
  command: Command,
  agent: string,
  environment: CommandEnvironment,
): Promise<TalkOptions & { place: FilePlace }> {
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
  const named = given.endpoint ?? (environment.env.SANDBOX_DAEMON_ENDPOINT || undefined);
  const place = { directory: environment.directory, isLocal: named === undefined || isLoopback(named) };
  return { connection: given, wish, environment, place };
}

async function attachedFiles(paths: readonly string[] = [], place: FilePlace): Promise<Attachment[]> {
  return await Promise.all(paths.map((path) => attachmentOf(path, place)));
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

const vocabularies = `
Four words that are easily mixed up: --agent-mode is what the agent does, in its own words (build, plan …);
--permission-mode is what it may do without asking, in the same four words for every agent; --variant is how hard the
model thinks; --dangerously-skip-permissions is --permission-mode bypass, whatever else was said.
`;
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
