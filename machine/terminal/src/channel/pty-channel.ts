import { chownSync, readSync } from "node:fs";
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
      ...options.user,
    });
    giveTo(terminal as unknown as Inside, options.user);
    let open = true;
    const take = (chunk: unknown) => {
      if (open) options.onData(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
    };
    const data = terminal.onData(take);
    readBeforeDestroy(terminal as unknown as Inside, take);
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
        // Its types know no bytes; its socket takes them.
        if (open) terminal.write(text as string);
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
      pause: () => terminal.pause(),
      resume: () => terminal.resume(),
      close: () => {
        open = false;
        data.dispose();
      },
    };
  };
}

/** What node-pty does not show of a terminal. */
interface Inside {
  readonly fd: number;
  /** The device of the other side. */
  readonly _pty: string;
  readonly _socket: { destroy(error?: Error): unknown; read(): unknown };
}

/** Programs such as tmux open their terminal by its name. */
function giveTo({ _pty: device }: Inside, user: { uid: number; gid: number } | undefined): void {
  if (user === undefined) return;
  try {
    chownSync(device, user.uid, user.gid);
  } catch {
    // The program has it open all the same.
  }
}

/**
 * node-pty destroys its socket 200 ms after the program has ended, read or not: a process that was busy for that long would
 * lose the last that the program wrote. So whatever is left is read first.
 */
function readBeforeDestroy({ fd, _socket: socket }: Inside, take: (bytes: Buffer) => void): void {
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    socket.destroy = destroy;
    // What a pause kept in the stream comes first, by its listeners.
    while (socket.read() !== null);
    for (let bytes = readRest(fd); bytes !== undefined; bytes = readRest(fd)) take(bytes);
    return destroy(error);
  };
}

function readRest(fd: number): Buffer | undefined {
  const room = Buffer.allocUnsafe(65_536);
  try {
    const length = readSync(fd, room);
    return length === 0 ? undefined : room.subarray(0, length);
  } catch {
    // EIO: nobody holds the other side and all was read. EAGAIN: somebody does and has written no more.
    return undefined;
  }
}
