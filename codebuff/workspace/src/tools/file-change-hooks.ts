import type { TerminalResult } from "@muster/codebuff-protocol";
import { z } from "zod";
import { globPattern } from "../search/glob-pattern.ts";
import type { Terminal } from "../terminal/index.ts";

const limitSeconds = 60;

/** A command the project wants to have run after files changed. The caller has checked that the user trusts it. */
export const FileChangeHook = z.object({
  name: z.string().min(1),
  command: z.string().min(1),
  cwd: z.string().optional(),
  filePattern: z.string().optional(),
  enabled: z.boolean().default(true),
});
export type FileChangeHook = z.infer<typeof FileChangeHook>;

/** Runs the hooks that care about one of the files, one after the other. */
export async function runFileChangeHooks(
  files: readonly string[],
  hooks: readonly FileChangeHook[],
  { terminal, signal }: { terminal: Pick<Terminal, "runOnce">; signal: AbortSignal },
): Promise<(TerminalResult & { hookName: string })[]> {
  const results: (TerminalResult & { hookName: string })[] = [];
  for (const hook of hooks) {
    if (!hook.enabled || signal.aborted || !files.some(cares(hook))) continue;
    const call = {
      command: hook.command,
      timeout_seconds: limitSeconds,
      ...(hook.cwd === undefined ? {} : { cwd: hook.cwd }),
    };
    results.push({ ...(await terminal.runOnce(call, { signal })), hookName: hook.name });
  }
  return results;
}

function cares(hook: FileChangeHook): (file: string) => boolean {
  return hook.filePattern === undefined ? () => true : globPattern(hook.filePattern);
}
