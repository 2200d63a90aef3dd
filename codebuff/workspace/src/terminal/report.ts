import type { TerminalResult, TerminalStatus } from "@muster/codebuff-protocol";
import { boundedText, type RunningCommand, tailText, type Unread } from "@muster/terminal";
import { limits } from "./limits.ts";

export interface ReportOptions {
  status: TerminalStatus;
  exitCode?: number;
  notes: readonly string[];
  agentMode: boolean;
  sessionId: string;
  cwd: string;
  /** Where command files lie: the shell's own error messages name them, which would tell nobody anything. */
  directory: string;
}

/** The result of a call: what is new of the command's output and how the command stands. */
export function commandReport(running: RunningCommand, options: ReportOptions): TerminalResult {
  const limit = options.agentMode ? limits.agentResultCharacters : limits.resultCharacters;
  const { text, truncated } = boundedText(running.takeOutput(), limit);
  return {
    command: running.command,
    startingCwd: running.startingCwd,
    stdout: withoutScriptPaths(text, options.directory),
    ...(options.exitCode === undefined ? {} : { exitCode: options.exitCode }),
    status: options.status,
    sessionId: options.sessionId,
    cwd: options.cwd,
    durationMs: Date.now() - running.startedAt,
    ...(truncated ? { truncated } : {}),
    ...(options.notes.length === 0 ? {} : { message: options.notes.join("\n") }),
  };
}

/** What to say of a command that ended after the last call that looked at it. */
export function leftoverNote(running: RunningCommand, exitCode: number): string {
  const { text } = tailText(running.takeOutput(), limits.updateCharacters);
  const ended = `"${shortCommand(running.command)}" has ended with exit code ${exitCode}.`;
  return text === "" ? ended : `${ended} Its last output:\n${text}`;
}

/** What background jobs have written while no command ran, as a note; null when there is nothing. */
export function idleNote(unread: Unread): string | null {
  const { text } = tailText(unread, limits.updateCharacters);
  return text.trim() === "" ? null : `Written by background jobs since the last command:\n${text}`;
}

export function shortCommand(command: string): string {
  const line = command.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** `…/0123456789abcdef.sh: line 1:` and `bash: …/0123456789abcdef.sh: line 2:` both become `bash: line …`. */
function withoutScriptPaths(text: string, directory: string): string {
  if (!text.includes(directory)) return text;
  const literal = directory.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text.replace(new RegExp(`(?:bash: )?${literal}/[0-9a-f]{16}\\.sh`, "g"), "bash");
}
