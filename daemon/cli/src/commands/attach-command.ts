import type { Readable, Writable } from "node:stream";
import { Command, Option } from "commander";
import type { CommandEnvironment } from "../environment/command-environment.ts";
import { connectTo, endpointOf } from "../environment/connection.ts";
import { type Outcome, UsageError } from "../environment/exit.ts";

/** Ctrl-]: what telnet and others leave with, and hardly any program uses. */
const leaveKey = 0x1d;
/** What a terminal answers to questions of the program: the daemon has answered them already. */
const answers = new RegExp(
  [
    String.raw`\x1b\[(?:\?|>|=)?[\d;]*[cR]`,
    String.raw`\x1b\[\?[\d;]*\$y`,
    String.raw`\x1b\]1[0-2];[^\x07\x1b]*(?:\x07|\x1b\\)`,
    String.raw`\x1bP[^\x1b]*\x1b\\`,
  ].join("|"),
  "g",
);
/** Modes that a program may have left on: the person's own shell expects none of them. */
const plainModes =
  "\x1b[0m\x1b[r\x1b[?1l\x1b>\x1b[?6l\x1b[?7h\x1b[4l\x1b[?25h\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?2004l\x1b[?47l\x1b[0 q\r\n";

type Screen = Writable & { columns?: number; rows?: number };
type Keyboard = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/** `terminals attach`: this terminal shows one of the daemon's, until it ends or Ctrl-] is pressed. */
export function attachCommand(environment: CommandEnvironment, outcome: Outcome): Command {
  const command = new Command("attach")
    .description("Shows a terminal of the daemon in this one, to look and to type; Ctrl-] leaves it")
    .argument("<processId>", "The process whose terminal it is")
    .addOption(new Option("--read-only", "looks and does not type"))
    .addOption(new Option("--alone", "nobody else types meanwhile"))
    .addOption(new Option("--endpoint <url>", "where the daemon is"))
    .addOption(new Option("--token <token>", "lets in"))
    .addHelpText("after", "\nExamples:\n  sandbox-daemon terminals attach shell\n");
  return command.action(async (processId: string) => {
    const { readOnly, alone, ...given } = command.opts();
    const stdin: Keyboard = environment.stdin;
    if (!stdin.isTTY) throw new UsageError("attach needs a terminal; processes stream-logs reads without one");
    const endpoint = endpointOf(given, environment);
    const client = connectTo(endpoint, given, environment);
    // Before the screen is changed: it says what is wrong in words.
    await client.processes.get({ processId });
    const { ticket } = await client.tickets.create({});
    const query = new URLSearchParams({ ticket, write: readOnly ? "no" : alone ? "alone" : "yes" });
    const url = `${endpoint.replace(/^http/, "ws").replace(/\/$/, "")}/processes/${processId}/attach?${query}`;
    outcome.code = await show(url, stdin, environment.stdout);
  });
}

async function show(url: string, stdin: Keyboard, stdout: Screen): Promise<number> {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const tellSize = () => {
    const { columns, rows } = stdout;
    if (columns !== undefined && rows !== undefined) socket.send(JSON.stringify({ type: "resize", columns, rows }));
  };
  const type = (bytes: Buffer) => {
    const leaves = bytes.indexOf(leaveKey);
    const typed = (leaves < 0 ? bytes : bytes.subarray(0, leaves)).toString("latin1").replaceAll(answers, "");
    if (typed !== "") socket.send(Buffer.from(typed, "latin1"), { binary: true });
    if (leaves >= 0) socket.close();
  };
  let exitCode = 0;
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      stdin.setRawMode?.(true);
      stdin.on("data", type);
      stdout.on("resize", tellSize);
      tellSize();
    });
    socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isBinary) return void stdout.write(data);
      const message = JSON.parse(String(data)) as { type: string; exitCode?: number | null };
      if (message.type === "ended") exitCode = message.exitCode ?? 1;
    });
    socket.once("error", reject);
    socket.once("close", (_, reason) => {
      stdin.off("data", type);
      stdout.off("resize", tellSize);
      stdin.setRawMode?.(false);
      stdin.pause();
      stdout.write(`${plainModes}${String(reason) || "left; the process goes on"}\n`);
      resolve(exitCode);
    });
  });
}
