import { type AgentModeCall, AgentModeResult, TerminalResult, type ToolOutput } from "@muster/codebuff-protocol";

/** A tool's output as agent mode's result: a terminal's text as text, everything else as JSON. */
export function agentModeResult({ id, name }: AgentModeCall, output: ToolOutput): AgentModeResult {
  const values = output.map((part) => (part.type === "json" ? part.value : `[${part.mediaType}]`));
  const first = values[0];
  const result = values.map((value) => (name === "run_terminal_command" ? terminalText(value) : plain(value)));
  return { id, name, status: statusOf(first), result: result.join("\n") };
}

function statusOf(value: unknown): AgentModeResult["status"] {
  const { status, errorMessage } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const known = AgentModeResult.shape.status.safeParse(status);
  if (known.success) return known.data;
  return errorMessage === undefined ? "completed" : "error";
}

function terminalText(value: unknown): string {
  const checked = TerminalResult.safeParse(value);
  if (!checked.success) return plain(value);
  const { stdout = "", stderr = "", errorMessage, message, exitCode, cwd, sessionId } = checked.data;
  const facts = [
    exitCode === undefined ? undefined : `exit code: ${exitCode}`,
    cwd === undefined ? undefined : `cwd: ${cwd}`,
    sessionId === undefined || sessionId === "main" ? undefined : `session: ${sessionId}`,
  ].filter((fact) => fact !== undefined);
  return [facts.join(", "), message, errorMessage, stdout, stderr]
    .filter((one) => one !== undefined && one !== "")
    .join("\n");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
