import { Chat } from "./chat/chat.ts";
import type { ChatFront } from "./chat/chat-front.ts";
import { exitCodes } from "./exit-codes.ts";
import { readInputHistory } from "./input/input-history.ts";
import type { Io } from "./io.ts";
import type { RunOptions } from "./run-options.ts";
import { ChatScreen } from "./screen/chat-screen.ts";
import { ProcessTerminal } from "./screen/process-terminal.ts";
import { restoreOnCrash } from "./screen/restore.ts";
import type { TerminalPort } from "./screen/terminal-port.ts";
import { shortPath } from "./text/short-path.ts";
import type { Look } from "./text/theme.ts";
import { version } from "./version.ts";

/** The interactive command: a chat on this terminal until the person leaves. Resolves with the exit code. */
export async function openChat(
  options: RunOptions,
  io: Io,
  { terminal = new ProcessTerminal(io), problems = [] }: { terminal?: TerminalPort; problems?: readonly string[] } = {},
): Promise<number> {
  const look = lookFor(options, io);
  const view = look === "plain" ? await plainFront() : (chat: Chat) => new ChatScreen(chat, terminal);
  return hold(new Chat({ options, io, look, view }), problems);
}

async function hold(chat: Chat, problems: readonly string[]): Promise<number> {
  const { io, view: front } = chat;
  const stopRestoring = restoreOnCrash(() => front.close());
  const onSignal = () => chat.exit(io.interrupted.reason === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
  io.interrupted.addEventListener("abort", onSignal, { once: true });
  const giveBack = front.interrupt === undefined ? undefined : io.takeInterrupts?.(() => front.interrupt?.());
  try {
    front.start(bannerLines(chat));
    for (const problem of problems) chat.warn(problem);
    void readInputHistory(io.home).then((lines) => {
      for (const line of lines) front.addToHistory(line);
    });
    // The first frame is out before anything heavy is loaded.
    setImmediate(() => void chat.begin());
    return await chat.ended;
  } finally {
    giveBack?.();
    front.close();
    io.interrupted.removeEventListener("abort", onSignal);
    const sessionId = await chat.close();
    stopRestoring();
    if (sessionId !== undefined) io.stdout.write(`codebuff --continue ${sessionId}\n`);
  }
}

async function plainFront(): Promise<(chat: Chat) => ChatFront> {
  const { PlainChat } = await import("./plain/plain-chat.ts");
  return (chat) => new PlainChat(chat);
}

function bannerLines({ theme, options, io }: Chat): string[] {
  return [`${theme.accent("codebuff")} ${theme.dim(`${version} · ${shortPath(options.cwd, io.home)} · /help`)}`];
}

function lookFor({ plain }: RunOptions, { env }: Io): Look {
  if (plain || env.TERM === "dumb") return "plain";
  return env.NO_COLOR ? "shapes" : "colours";
}
