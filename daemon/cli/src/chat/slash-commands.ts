import { permissionModes } from "@muster/schema/wire";
import { columnsOf } from "../environment/columns.ts";
import { exitCodes, UsageError } from "../environment/exit.ts";
import { attachmentOf } from "../talk/attachments.ts";
import { sessionsText } from "../text/list-text.ts";
import { printable } from "../text/printable.ts";
import { table } from "../text/table.ts";
import type { Chat } from "./chat.ts";

interface SlashCommand {
  /** What may stand behind it. */
  readonly takes: string;
  readonly about: string;
  run(chat: Chat, rest: string): Promise<void> | void;
}

/** Name → what it does, in the order of /help. A word that is not here is the agent's, which has commands of its own. */
const commands: Readonly<Record<string, SlashCommand>> = {
  help: { takes: "", about: "this list", run: (chat) => chat.tell(helpText(chat)) },
  model: { takes: "[name]", about: "another model, or the models there are", run: chooseModel },
  mode: { takes: "[name]", about: "what the agent does, or the modes there are", run: chooseMode },
  permissions: { takes: "[mode]", about: "what it may do unasked", run: choosePermissions },
  attach: { takes: "<file>", about: "a file or picture for the next message, as @file", run: attach },
  sessions: { takes: "[id]", about: "those of this directory, or goes on with one", run: sessions },
  rewind: { takes: "<turn>|undo", about: "conversation and files as after that turn; 0 is the start", run: rewind },
  fork: { takes: "[turn]", about: "goes on in a fork of the session, this one stays", run: fork },
  steer: { takes: "<message>", about: "into the open turn; a plain message is queued", run: steer },
  quit: { takes: "", about: "leaves; the session is kept", run: (chat) => chat.leave(exitCodes.ok) },
  exit: { takes: "", about: "the same", run: (chat) => chat.leave(exitCodes.ok) },
};

export const slashNames: readonly string[] = Object.keys(commands);

/** The command a line begins with, and what stands behind it; undefined for a message. */
export function slashCommandOf(line: string): (SlashCommand & { rest: string }) | undefined {
  const [, name = "", rest = ""] = /^\s*\/(\w+)(?:\s+([\s\S]*?))?\s*$/.exec(line) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command && { ...command, rest };
}

function helpText({ paint }: Chat): string {
  const names = Object.entries(commands).map(([name, { takes }]) => `/${name} ${takes}`.trimEnd());
  const width = Math.max(...names.map((name) => name.length));
  const rows = Object.values(commands).map(
    ({ about }, at) => `  ${(names[at] ?? "").padEnd(width)}  ${paint.dim(about)}`,
  );
  const keys = [
    "Enter sends; while the agent works the message is queued.",
    "\\ and Enter, or Alt-Enter, begins a new line.",
    "Up brings back what was written, Tab completes commands and @files.",
    "Ctrl-C interrupts, Ctrl-D leaves. Other words behind a / go to the agent.",
  ];
  return [...rows, ...keys.map((line) => paint.dim(line))].join("\n");
}

async function chooseModel(chat: Chat, name: string): Promise<void> {
  const { agent, model } = chat.session;
  if (name !== "") {
    await chat.update({ model: name });
    return chat.tell(chat.paint.dim(`model: ${printable(chat.session.model ?? name)}`));
  }
  const { models } = await chat.client.agents.listModels({ agent });
  const rows = models.map(({ id, name, variants }) => ({ model: id === model ? `${id} *` : id, name, variants }));
  chat.tell(table(["model", "name", "variants"], rows, columnsOf(chat.environment.stdout)));
}

async function chooseMode(chat: Chat, name: string): Promise<void> {
  const { agent, agentMode } = chat.session;
  if (name !== "") {
    await chat.update({ agentMode: name });
    return chat.tell(chat.paint.dim(`mode: ${printable(chat.session.agentMode ?? name)}`));
  }
  const { modes } = await chat.client.agents.listModes({ agent });
  const rows = modes.map(({ id, description }) => ({ mode: id === agentMode ? `${id} *` : id, description }));
  chat.tell(table(["mode", "description"], rows, columnsOf(chat.environment.stdout)));
}

async function choosePermissions(chat: Chat, name: string): Promise<void> {
  const mode = permissionModes.find((known) => known === name);
  if (name !== "" && mode === undefined) throw new UsageError(`/permissions takes ${permissionModes.join(", ")}`);
  if (mode !== undefined) await chat.update({ permissionMode: mode });
  chat.tell(chat.paint.dim(`permissions: ${chat.session.permissionMode}`));
}

async function attach(chat: Chat, path: string): Promise<void> {
  if (path === "") throw new UsageError("/attach takes the path of a file");
  chat.attach(await attachmentOf(path, chat.place));
}

async function sessions(chat: Chat, id: string): Promise<void> {
  if (id !== "") return await chat.change(id);
  const { directory } = chat.session;
  const found = await chat.client.sessions.list({ directory, order: "waiting", limit: 20 });
  const { stdout, env } = chat.environment;
  chat.tell(
    sessionsText({ ...found, hasMore: false }, { columns: columnsOf(stdout), now: Date.now(), home: env.HOME }),
  );
}

async function rewind(chat: Chat, rest: string): Promise<void> {
  const { sessionId } = chat.session;
  if (rest === "undo") {
    const { turns, changes } = await chat.client.sessions.undoRewind({ sessionId });
    return chat.tell(chat.paint.dim(`back again: ${counted(turns, "turn")}, ${counted(changes, "file")}`));
  }
  const to = turnIn(rest);
  if (to === undefined) throw new UsageError("/rewind takes the number of a turn, or undo");
  const { turns, changes, filesSkipped } = await chat.client.sessions.rewind({ sessionId, to });
  const files = filesSkipped === undefined ? counted(changes, "file") : `files stayed: ${printable(filesSkipped)}`;
  chat.tell(
    chat.paint.dim(`rewound to turn ${to}: ${counted(turns, "turn")} gone, ${files}; /rewind undo takes it back`),
  );
}

async function fork(chat: Chat, rest: string): Promise<void> {
  const at = turnIn(rest);
  if (rest !== "" && at === undefined) throw new UsageError("/fork takes the number of a turn, or nothing");
  const { sessions } = await chat.client.sessions.fork({ sourceId: chat.session.sessionId, at });
  const [made] = sessions;
  if (made !== undefined) await chat.change(made.session.sessionId);
}

function turnIn(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function counted(things: readonly unknown[], name: string): string {
  return `${things.length} ${things.length === 1 ? name : `${name}s`}`;
}

async function steer(chat: Chat, message: string): Promise<void> {
  if (message === "") throw new UsageError("/steer takes a message");
  await chat.send(message, "steer");
}
