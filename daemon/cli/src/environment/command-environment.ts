import type { Readable, Writable } from "node:stream";

/** What a command sees of the machine. */
export interface CommandEnvironment {
  args: string[];
  env: Record<string, string | undefined>;
  home: string;
  /** Where the command was typed. */
  directory: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean };
}
