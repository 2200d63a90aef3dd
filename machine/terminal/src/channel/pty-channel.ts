import type { OpenChannel } from "./channel.ts";

/** Null where the native module is not installed or does not load. */
export async function loadPty(): Promise<OpenChannel | null> {
  const pty = await import("@lydell/node-pty").catch(() => null);
  if (pty === null) return null;
  return (options) => {
    const terminal = pty.spawn(options.file, [...options.arguments], {
      name: "xterm-256color",
      cols: options.size.columns,
      rows: options.size.rows,
      cwd: options.cwd,
      env: options.environment,
      encoding: null,
    });
    let open = true;
    const data = terminal.onData((chunk: unknown) => {
      if (open) options.onData(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    });
    terminal.onExit(({ exitCode, signal }) => {
      if (open) {
        open = false;
        options.onExit(signal ? 128 + signal : exitCode);
      }
    });
    return {
      kind: "pty",
      pid: terminal.pid,
      write: (text) => {
        if (open) terminal.write(text);
      },
      type: (text) => {
        // Enter sends a carriage return. The terminal driver makes a newline of it unless the program reads raw keys.
        if (open) terminal.write(text.replace(/\r?\n/g, "\r"));
      },
      interrupt: () => {
        if (open) terminal.write("\x03");
      },
      endInput: () => {
        if (open) terminal.write("\x04");
        return true;
      },
      resize: ({ columns, rows }) => {
        if (open) terminal.resize(columns, rows);
      },
      close: () => {
        open = false;
        data.dispose();
      },
    };
  };
}
