import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../src/index.ts";

export interface RunOptions {
  env?: Record<string, string>;
  home?: string;
  directory?: string;
  stdin?: string;
  terminal?: boolean;
  /** Standard error is a terminal, whatever standard output is. */
  errorTerminal?: boolean;
}

/** Runs a command in this process with streams of its own; nothing of this machine's environment is seen. */
export async function run(
  args: string[],
  {
    env = {},
    home = "/nonexistent",
    directory = "/",
    stdin = "",
    terminal = false,
    errorTerminal = false,
  }: RunOptions = {},
) {
  const stdout = Object.assign(new PassThrough(), { isTTY: terminal });
  const stderr = Object.assign(new PassThrough(), { isTTY: errorTerminal });
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await runCommandLine({ args, env, home, directory, stdin: Readable.from([stdin]), stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, out, err };
}
