import type { Gate } from "../policy/gate.ts";
import type { Terminal } from "../terminal/index.ts";
import { json } from "./json-output.ts";
import type { ToolHandlers } from "./tool-handler.ts";

export interface TerminalHandlerOptions {
  readonly terminal: Pick<Terminal, "run" | "readScreen" | "kill" | "directoryOf" | "hasRunPlain">;
  /** Agent mode leaves a command running at its limit. */
  readonly agentMode: boolean;
  /** The agent's own session, or one of its others. */
  readonly sessionFor: (given: string | undefined) => string;
  /** Where a session of this agent begins. */
  readonly startIn: () => string | undefined;
}

/** The terminal behind the policy: a command is judged from the directory its session has moved to. */
export function terminalHandlers({ terminal, agentMode, sessionFor, startIn }: TerminalHandlerOptions): ToolHandlers {
  /** What was started before PLAN can be looked at and ended in it. */
  const shownSession = (gate: Gate, given: string | undefined): string => {
    const session = sessionFor(given);
    const inMode = gate.sessionFor(session, terminal.hasRunPlain(session));
    return terminal.directoryOf(inMode) === undefined ? session : inMode;
  };
  return {
    async run_terminal_command(input, { gate, signal, progress }) {
      const given = sessionFor(input.session_id);
      const session = gate.sessionFor(given, terminal.hasRunPlain(given));
      const begin = terminal.directoryOf(given) ?? startIn();
      const cwd = input.cwd ?? terminal.directoryOf(session) ?? begin;
      const ran = input.command === undefined ? undefined : await gate.command(input.command, cwd);
      const typed = input.input === undefined ? undefined : await gate.typed(input.input, cwd);
      const denied = [ran, typed].find((verdict) => verdict?.ok === false);
      if (denied?.ok === false) return json({ command: input.command, errorMessage: denied.message });
      const { session_id: _, ...call } = input;
      const runAs = ran?.ok === true ? ran.run : undefined;
      const options = { agentMode, signal, onOutput: progress, session, startIn: begin, runAs };
      return json(await terminal.run(call, options));
    },
    async kill_terminal({ session_id: given }, { gate }) {
      const session = shownSession(gate, given);
      const found = await terminal.kill(session);
      return json({ message: found ? `Session ${session} was killed` : `There is no session ${session}` });
    },
    async read_screen({ session_id: given }, { gate }) {
      const session = shownSession(gate, given);
      const screen = await terminal.readScreen(session);
      return json(screen ?? { errorMessage: `There is no session ${session}` });
    },
  };
}
