import { CommanderError } from "commander";

/** What the shell is told (contract A-7). 124 is the number of timeout(1); 130 and 143 are the shell's own. */
export const exitCodes = {
  ok: 0,
  runError: 1,
  usage: 2,
  credentials: 3,
  outOfCredits: 4,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
} as const;

/** Words of failures that mean: somebody named what is not there. */
export const wrongNames: ReadonlySet<string> = new Set([
  "agent_not_found",
  "unknown_model",
  "unknown_provider",
  "session_not_found",
]);

/** The command was called wrongly; nothing was started. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command could not do what was asked, for a reason it can name in one line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: number;
  /** For programs: the word of an `error` line. */
  readonly code: string | undefined;
  readonly statusCode: number | undefined;

  constructor(message: string, told: { exitCode?: number; code?: string; statusCode?: number } = {}) {
    super(message);
    this.exitCode = told.exitCode ?? exitCodes.runError;
    this.code = told.code;
    this.statusCode = told.statusCode;
  }
}

/** What to tell for an error that ended the command, and the code to end with. */
export function describeExit(error: unknown): { code: number; text: string } {
  if (error instanceof CommanderError) {
    // Commander has written its message or the help already.
    return { code: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, text: "" };
  }
  if (error instanceof UsageError) return { code: exitCodes.usage, text: `codebuff: ${error.message}\n` };
  if (error instanceof CommandError) return { code: error.exitCode, text: `codebuff: ${error.message}\n` };
  return { code: exitCodes.runError, text: `codebuff: ${error instanceof Error ? error.stack : String(error)}\n` };
}
