import type { FileChangeHook, TerminalResult } from "@muster/codebuff-protocol";
import type { Gate } from "../policy/gate.ts";
import { globPattern } from "../search/glob-pattern.ts";
import type { Terminal } from "../terminal/index.ts";

const limitSeconds = 60;

/** Runs the hooks that care about one of the files, one after the other. */
export async function runFileChangeHooks(
  files: readonly string[],
  hooks: readonly FileChangeHook[],
  { terminal, gate, signal }: { terminal: Pick<Terminal, "runOnce">; gate: Gate; signal: AbortSignal },
): Promise<(TerminalResult & { hookName: string })[]> {
  const results: (TerminalResult & { hookName: string })[] = [];
  for (const hook of hooks) {
    if (!hook.enabled || signal.aborted || !files.some(matcherOf(hook))) continue;
    const call = {
      command: hook.command,
      timeout_seconds: limitSeconds,
      ...(hook.cwd === undefined ? {} : { cwd: hook.cwd }),
    };
    const verdict = await gate.hook(hook.command);
    const result = verdict.ok
      ? await terminal.runOnce(call, { signal, runAs: verdict.run })
      : { command: hook.command, errorMessage: verdict.message };
    results.push({ ...result, hookName: hook.name });
  }
  return results;
}

function matcherOf(hook: FileChangeHook): (file: string) => boolean {
  return hook.filePattern === undefined ? () => true : globPattern(hook.filePattern);
}
