import type { AgentDefinition } from "@muster/codebuff-protocol";
import { type Spawn, Terminal, type ToolHandlers, type Workspace } from "@muster/codebuff-workspace";
import { allowedVariables } from "@muster/terminal";
import { spawnedTerminal } from "../tools/spawned-terminal.ts";
import type { CodebuffClientOptions, RunOptions } from "./options.ts";

type Options = Pick<CodebuffClientOptions, "env" | "overrideTools" | "spawnSource"> & Pick<RunOptions, "terminal">;

/** What runs the commands of a run: the caller's terminal, the caller's `spawn`, or a terminal of its own. */
export interface RunTerminal {
  readonly terminal?: Terminal;
  /** Where every command is started by the caller's `spawn`. */
  readonly handlers: ToolHandlers;
  close(): Promise<void>;
}

export function openTerminal(options: Options, workspace: Workspace, spawn: Spawn | undefined): RunTerminal {
  const { project, isVirtual } = workspace;
  const close = async () => undefined;
  if (options.terminal !== undefined) return { terminal: options.terminal, handlers: {}, close };
  if (spawn !== undefined) {
    const root = isVirtual ? project.named : project.root;
    return { handlers: spawnedTerminal(spawn, { root, environment: environmentOf(options.env ?? {}) }), close };
  }
  if (isVirtual) return { handlers: {}, close };
  const environment = options.env === undefined ? undefined : environmentOf(options.env);
  const terminal = new Terminal({ root: project.root, environment });
  return { terminal, handlers: {}, close: () => terminal.close() };
}

/** The tools of a terminal that a run does not have. */
export function missingTools(options: Options, { isVirtual }: Workspace): ReadonlySet<string> {
  const { terminal, spawnSource, overrideTools = {} } = options;
  if (terminal !== undefined || (spawnSource === undefined && !isVirtual)) return new Set();
  const missing = spawnSource === undefined ? terminalTools : terminalTools.slice(1);
  return new Set(missing.filter((name) => !Object.hasOwn(overrideTools, name)));
}

/** What cannot be called is not offered. */
export function withoutMissing(agents: readonly AgentDefinition[], missing: ReadonlySet<string>) {
  if (missing.size === 0) return agents;
  return agents.map((agent) => ({ ...agent, toolNames: agent.toolNames.filter((name) => !missing.has(name)) }));
}

const terminalTools = ["run_terminal_command", "kill_terminal", "read_screen"];

/** What the caller gives is given; of ours a command gets what holds no keys. */
function environmentOf(env: Record<string, string>): Record<string, string> {
  return { ...allowedVariables(process.env), ...env };
}
