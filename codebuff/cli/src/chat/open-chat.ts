import { exitCodes } from "../exit-codes.ts";
import { readInputHistory } from "../input/input-history.ts";
import type { Io } from "../io.ts";
import type { RunOptions } from "../run-options.ts";
import { ChatScreen } from "../screen/chat-screen.ts";
import { ProcessTerminal } from "../screen/process-terminal.ts";
import { restoreOnCrash } from "../screen/restore.ts";
import type { TerminalPort } from "../screen/terminal-port.ts";
import type { Look } from "../screen/theme.ts";
import { version } from "../version.ts";
import { Chat } from "./chat.ts";

/** The interactive command: a chat on this terminal until the person leaves. Resolves with the exit code. */
export async function openChat(
  options: RunOptions,
  io: Io,
  terminal: TerminalPort = new ProcessTerminal(io),
): Promise<number> {
  let screen: ChatScreen | undefined;
  const chat = new Chat({
    options,
    io,
    look: lookFor(io),
    view: (own) => {
      screen = new ChatScreen(own, terminal);
      return screen;
    },
  });
  if (screen === undefined) return exitCodes.runError;
  const opened = screen;
  const stopRestoring = restoreOnCrash(() => opened.close());
  const onSignal = () => chat.exit(io.interrupted.reason === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated);
  io.interrupted.addEventListener("abort", onSignal, { once: true });
  try {
    opened.start(bannerLines(chat));
    void readInputHistory(io.home).then((lines) => {
      for (const line of lines) opened.editor.addToHistory(line);
    });
    // The first frame is out before anything heavy is loaded.
    setImmediate(() => void chat.begin());
    return await chat.ended;
  } finally {
    opened.close();
    io.interrupted.removeEventListener("abort", onSignal);
    await chat.close();
    stopRestoring();
    const { sessionId } = await chat.conversation();
    if (sessionId !== undefined) io.stdout.write(`codebuff --continue ${sessionId}\n`);
  }
}

function bannerLines({ theme, options, io }: Chat): string[] {
  const cwd = options.cwd.startsWith(`${io.home}/`) ? `~${options.cwd.slice(io.home.length)}` : options.cwd;
  return [`${theme.accent("codebuff")} ${theme.dim(`${version} · ${cwd} · /help`)}`];
}

function lookFor({ env }: Io): Look {
  return env.NO_COLOR ? "shapes" : "colours";
}
