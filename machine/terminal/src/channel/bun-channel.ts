import type { OpenChannel } from "./channel.ts";

/** What is used of Bun, which has terminals of its own and cannot load node-pty. */
interface BunRuntime {
  spawn(
    command: readonly string[],
    options: {
      cwd: string;
      env: Record<string, string>;
      terminal: { cols: number; rows: number; data(terminal: unknown, bytes: Uint8Array): void };
    },
  ): {
    readonly pid: number;
    readonly exited: Promise<number>;
    readonly signalCode: string | null;
    readonly terminal: {
      write(bytes: string | Uint8Array): number;
      resize(columns: number, rows: number): void;
      close(): void;
    };
  };
}

/** Null where this is not Bun, or one without terminals. It starts no process of another user: then it throws. */
export function bunTerminal(): OpenChannel | null {
  const { Bun: bun } = globalThis as { Bun?: BunRuntime & { Terminal?: unknown } };
  if (bun?.Terminal === undefined) return null;
  return (options) => {
    if (options.user !== undefined) {
      throw Object.assign(new Error("Bun opens no terminal for another user"), { code: "ENOTERMINAL" });
    }
    let open = true;
    const child = bun.spawn([options.file, ...options.arguments], {
      cwd: options.cwd,
      env: options.environment,
      terminal: {
        cols: options.size.columns,
        rows: options.size.rows,
        data: (_, bytes) => {
          if (open) options.onData(Buffer.from(bytes));
        },
      },
    });
    void child.exited.then((exitCode) => {
      // The last bytes come with the turn of the event loop that follows the exit.
      setTimeout(() => {
        if (open) options.onExit(exitCode);
        open = false;
        child.terminal.close();
      }, lastBytesMs);
    });
    const write = (text: string | Buffer) => {
      if (open) child.terminal.write(text);
    };
    return {
      kind: "pty",
      pid: child.pid,
      write,
      type: (text) => write(text.replace(/\r?\n/g, "\r")),
      interrupt: () => write("\x03"),
      endInput: () => {
        write("\x04");
        return true;
      },
      resize: ({ columns, rows }) => {
        if (open) child.terminal.resize(columns, rows);
      },
      // Bun reads on: what comes is held by whoever paused.
      pause: () => {},
      resume: () => {},
      close: () => {
        open = false;
      },
    };
  };
}

const lastBytesMs = 50;
