import { exitCodes } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import type { GivenFlags } from "./run-flags.ts";
import { type RunOptions, readRunOptions } from "./run-options.ts";

/** The command without a sub-command: lists, or runs a prompt in the form that was asked for. */
export async function runPrompt(flags: GivenFlags, words: readonly string[], io: Io): Promise<number> {
  // A list has no run: --json only says how it is written.
  const asked = readRunOptions(flags, words, io);
  const { settingsForRun } = await import("./settings/resolve-settings.ts");
  const { applySettings } = await import("./settings/apply-settings.ts");
  const resolved = await settingsForRun(flags, io, asked.cwd);
  const options = applySettings(asked, resolved);
  if (flags.listModels) return (await import("./commands/models.ts")).listModels(options, io);
  if (flags.listAgents)
    return (await import("./commands/agents.ts")).listAgents({ json: flags.json, cwd: options.cwd }, io);
  if (flags.clearLogs) return (await import("./commands/clear-logs.ts")).clearLogs(io);
  if (!options.demo) return run(options, io, resolved.problems);
  const { startDemo } = await import("./demo/start-demo.ts");
  // A model or a provider of the files would not be the scripted one.
  const { permissions, theme, vim, keys } = options;
  const demo = await startDemo({ ...asked, permissions, theme, vim, keys }, io);
  try {
    return await run(demo.options, demo.io);
  } finally {
    await demo.close();
  }
}

async function run(options: RunOptions, io: Io, problems: readonly string[] = []): Promise<number> {
  if (io.interrupted.aborted) return exitCodes.interrupted;
  if (isInteractive(options, io)) return (await import("./open-chat.ts")).openChat(options, io, { problems });
  if (options.keepOpen) return (await import("./headless/keep-open.ts")).keepOpen(options, io);
  return (await import("./headless/one-shot.ts")).runOneShot(options, io);
}

/** A person at a terminal: a prompt given with the command is the first of the chat, under the chat's own policy. */
function isInteractive({ nonInteractive, keepOpen, quiet }: RunOptions, { stdin, stdout }: Io): boolean {
  return !nonInteractive && !keepOpen && !quiet && stdin.isTTY === true && stdout.isTTY === true;
}
