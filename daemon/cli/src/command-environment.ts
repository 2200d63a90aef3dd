import type { Readable, Writable } from "node:stream";

/** What a command sees of the machine. */
export interface CommandEnvironment {
  args: string[];
  env: Record<string, string | undefined>;
  home: string;
  stdin: Readable;
  stdout: Writable & { isTTY?: boolean };
  stderr: Writable & { isTTY?: boolean };
}
