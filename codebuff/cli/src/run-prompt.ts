import { exitCodes, UsageError } from "./exit-codes.ts";
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
  if (!options.nonInteractive && options.prompt === undefined && io.stdin.isTTY) {
    throw new UsageError('the terminal screen is not part of this version: give a prompt, codebuff "what to do"');
  }
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
  if (options.keepOpen) return (await import("./headless/keep-open.ts")).keepOpen(options, io);
  return (await import("./headless/one-shot.ts")).runOneShot(options, io);
}
