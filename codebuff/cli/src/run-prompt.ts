import { exitCodes } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import type { GivenFlags } from "./run-flags.ts";
import { type RunOptions, readRunOptions } from "./run-options.ts";

/** The command without a sub-command: lists, or runs a prompt in the form that was asked for. */
export async function runPrompt(flags: GivenFlags, words: readonly string[], io: Io): Promise<number> {
  // A list has no run: --json only says how it is written.
  const options = readRunOptions(flags, words, io);
  if (flags.listModels) return (await import("./commands/models.ts")).listModels(options, io);
  if (flags.listAgents)
    return (await import("./commands/agents.ts")).listAgents({ json: flags.json, cwd: options.cwd }, io);
  if (flags.clearLogs) return (await import("./commands/clear-logs.ts")).clearLogs(io);
  if (!options.demo) return run(options, io);
  const { startDemo } = await import("./demo/start-demo.ts");
  const demo = await startDemo(options, io);
  try {
    return await run(demo.options, demo.io);
  } finally {
    await demo.close();
  }
}

async function run(options: RunOptions, io: Io): Promise<number> {
  if (io.interrupted.aborted) return exitCodes.interrupted;
  if (isInteractive(options, io)) return (await import("./open-chat.ts")).openChat(options, io);
  if (options.keepOpen) return (await import("./headless/keep-open.ts")).keepOpen(options, io);
  return (await import("./headless/one-shot.ts")).runOneShot(options, io);
}

/** A person at a terminal who gave no prompt; with one the answer is streamed and that is all. */
function isInteractive({ nonInteractive, prompt, keepOpen }: RunOptions, { stdin, stdout }: Io): boolean {
  return !nonInteractive && !keepOpen && prompt === undefined && stdin.isTTY === true && stdout.isTTY === true;
}
