import type { OpenOptions } from "../../adapter.ts";
import type { AgentHost } from "../../host.ts";
import { sessionProgram } from "../../install/session-program.ts";
import { runOnce } from "../../process/run-once.ts";
import { codebuffRelease } from "../release.ts";

/** Codebuff for one thing it does with its files; needs no model. Gives what it printed. */
export async function runCodebuff(
  host: AgentHost,
  { agentVersion, env, signal }: OpenOptions,
  { args, directory }: { args: readonly string[]; directory: string },
): Promise<string> {
  const { path: command } = await sessionProgram(host, codebuffRelease, { agentVersion, signal });
  return await runOnce(host, { command, args, directory, env, signal });
}
