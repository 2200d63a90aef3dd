import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { onTestFinished, vi } from "vitest";

const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));

export interface Terminal {
  /** Everything that was written so far, without colours. */
  written(): string;
  type(keys: string): void;
  /** Resolves when this was written after the last keys that were typed. */
  shows(words: string): Promise<void>;
  /** What can be seen now, without blank lines at its end. */
  screen(): Promise<string>;
  /** Everything, also what has scrolled away; a line that the terminal wrapped is two. */
  everything(): Promise<string>;
  /** Resolves when the screen is like this. */
  isLike(pattern: RegExp): Promise<void>;
  exit: Promise<number>;
}

export interface TerminalPlace {
  home: string;
  directory: string;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

/** The command in a real terminal, as somebody sits at it. */
export function openTerminal(args: string[], place: TerminalPlace): Terminal {
  const { home, directory, columns: cols = 120, rows = 40 } = place;
  const env = { PATH: process.env.PATH ?? "", HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8", ...place.env };
  const pty = spawn(process.execPath, [bin, ...args], { cwd: directory, env, cols, rows });
  const xterm = new headless.Terminal({ cols, rows, scrollback: 10_000, allowProposedApi: true });
  let written = "";
  let typedAt = 0;
  let drawn: Promise<void> = Promise.resolve();
  pty.onData((data) => {
    written += data;
    drawn = new Promise((resolve) => xterm.write(data, resolve));
  });
  const exit = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => resolve(exitCode));
  });
  onTestFinished(async () => {
    // It may have ended already.
    try {
      pty.kill("SIGKILL");
    } catch {}
    await exit;
    xterm.dispose();
  });
  const lines = async (from: (base: number) => number) => {
    await drawn;
    const { active } = xterm.buffer;
    const first = from(active.baseY);
    const rowsOf = Array.from({ length: active.baseY + rows - first }, (_, at) => active.getLine(first + at));
    return rowsOf
      .map((line) => line?.translateToString(true) ?? "")
      .join("\n")
      .trimEnd();
  };
  const screen = () => lines((base) => base);
  return {
    written: () => plain(written),
    type(keys) {
      typedAt = plain(written).length;
      pty.write(keys);
    },
    shows: (words) =>
      vi.waitFor(
        () => {
          if (!plain(written).slice(typedAt).includes(words)) throw new Error(`not there: ${words}\n${plain(written)}`);
        },
        { timeout: 60_000, interval: 20 },
      ),
    screen,
    everything: () => lines(() => 0),
    isLike: (pattern) =>
      vi.waitFor(
        async () => {
          const now = await screen();
          if (!pattern.test(now)) throw new Error(`not like ${pattern}:\n${now}`);
        },
        { timeout: 60_000, interval: 20 },
      ),
    exit,
  };
}

/** Without the sequences that colour and move. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r\n", "\n");
}
