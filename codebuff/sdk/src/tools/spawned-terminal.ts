import { resolve } from "node:path";
import type { ToolOutput } from "@muster/codebuff-protocol";
import { runSpawned, type Spawn, type ToolHandlers } from "@muster/codebuff-workspace";

/** The terminal of an embedding program that starts processes itself: every command in a shell of its own. */
export function spawnedTerminal(
  spawn: Spawn,
  { root, environment }: { root: string; environment: Record<string, string> },
): ToolHandlers {
  return {
    async run_terminal_command(input, { signal, progress }): Promise<ToolOutput> {
      const { command, process_type: type, cwd = ".", timeout_seconds: seconds } = input;
      if (command === undefined || type === "BACKGROUND") throw new Error(onlyCommands);
      const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
      const result = await runSpawned({
        spawn,
        command,
        cwd: resolve(root, cwd),
        environment,
        limitMs: seconds === -1 ? Number.POSITIVE_INFINITY : seconds * 1000,
        signal,
        onOutput: (bytes, stream) => progress(decoders[stream].decode(bytes, { stream: true })),
      });
      return [{ type: "json", value: result as never }];
    },
  };
}

const onlyCommands =
  "Here every command runs in a shell of its own and ends with its call: nothing runs in the background, and nothing can be typed into it";
