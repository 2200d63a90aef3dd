import type { ToolOutput } from "@muster/codebuff-protocol";
import { Terminal } from "@muster/codebuff-workspace";

/** One command in a terminal of its own, for programs that need the tool without a run. */
export async function runTerminalCommand({
  command,
  cwd,
  timeout_seconds,
  env,
}: {
  command: string;
  process_type?: "SYNC" | "BACKGROUND";
  cwd: string;
  timeout_seconds: number;
  env?: NodeJS.ProcessEnv;
}): Promise<ToolOutput> {
  const environment =
    env === undefined ? undefined : Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ""]));
  const terminal = new Terminal({ root: cwd, environment });
  try {
    const result = await terminal.runOnce({ command, timeout_seconds });
    return [{ type: "json", value: result as never }];
  } finally {
    await terminal.close();
  }
}
