import type { Readable, Writable } from "node:stream";

/** What the command sees of the machine; a test passes its own. */
export interface Io {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly cwd: string;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable & { isTTY?: boolean };
  /** Aborted by SIGINT or SIGTERM with the signal's name as reason. */
  readonly interrupted: AbortSignal;
  /** From now on Ctrl-C only calls this and aborts nothing, until the returned function is called. The last taker has it. */
  readonly takeInterrupts?: (onInterrupt: () => void) => () => void;
}
