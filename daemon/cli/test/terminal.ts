import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { onTestFinished, vi } from "vitest";

const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));

export interface Terminal {
  /** Everything that was written so far, without colours. */
  written(): string;
  type(keys: string): void;
  /** Resolves when this was written after the last keys that were typed. */
  shows(words: string): Promise<void>;
  exit: Promise<number>;
}

/** The command in a real terminal, as somebody sits at it. */
export function openTerminal(args: string[], { home, directory }: { home: string; directory: string }): Terminal {
  const env = { PATH: process.env.PATH ?? "", HOME: home, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const pty = spawn(process.execPath, [bin, ...args], { cwd: directory, env, cols: 120, rows: 40 });
  let written = "";
  let typedAt = 0;
  pty.onData((data) => {
    written += data;
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
  });
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
    exit,
  };
}

/** Without the sequences that colour and move. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r\n", "\n");
}
