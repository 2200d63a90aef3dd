import type { ToolOutput } from "@muster/codebuff-protocol";
import type { Gate } from "../policy/gate.ts";
import type { Terminal } from "../terminal/index.ts";
import type { ToolHandlers } from "./tool-handler.ts";

export interface TerminalHandlerOptions {
  readonly terminal: Pick<Terminal, "run" | "readScreen" | "kill">;
  readonly gate: Gate;
  /** Agent mode leaves a command running at its limit. */
  readonly agentMode: boolean;
}

/** The terminal behind the policy: a command is judged from the directory its session has moved to. */
export function terminalHandlers({ terminal, gate, agentMode }: TerminalHandlerOptions): ToolHandlers {
  const directories = new Map<string, string>();
  return {
    async run_terminal_command(input, context) {
      const session = input.session_id ?? "main";
      const cwd = input.cwd ?? directories.get(session);
      const verdict =
        input.command !== undefined
          ? await gate.command(input.command, cwd)
          : input.input !== undefined
            ? await gate.typed(input.input, cwd)
            : undefined;
      if (verdict?.ok === false) return json({ ...named(input.command), errorMessage: verdict.message });
      const { signal, progress } = context;
      const result = await terminal.run(input, { agentMode, signal, onOutput: progress });
      if (result.cwd !== undefined) directories.set(session, result.cwd);
      return json(result);
    },
    async kill_terminal({ session_id: session = "main" }) {
      const found = await terminal.kill(session);
      return json({ message: found ? `Session ${session} was killed` : `There is no session ${session}` });
    },
    async read_screen({ session_id: session = "main" }) {
      const screen = await terminal.readScreen(session);
      return json(screen ?? { errorMessage: `There is no session ${session}` });
    },
  };
}

function named(command: string | undefined): { command?: string } {
  return command === undefined ? {} : { command };
}

/** The runner checks and copies what is returned here. */
function json(value: unknown): ToolOutput {
  return [{ type: "json", value: value as never }];
}
