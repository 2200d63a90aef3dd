import { z } from "zod";
import type { ToolSpecs } from "./tool-spec.ts";

const sessionId = z.string().min(1).max(64).describe('Name of the terminal session; "main" when left out');

const CommandSignal = z.enum(["CTRL_C", "CTRL_D", "KILL"]);

/** Exactly one of command, input and command_signal, or none of them to read what is new. */
export const TerminalCall = z
  .object({
    command: z.string().min(1).optional().describe("Shell text to run"),
    input: z.string().min(1).optional().describe("Text to type into the running program; a newline is Enter"),
    command_signal: CommandSignal.optional().describe("Interrupt, end the input of, or kill the running program"),
    session_id: sessionId.optional(),
    process_type: z.enum(["SYNC", "BACKGROUND"]).default("SYNC"),
    cwd: z.string().min(1).optional().describe("Directory to run the command in"),
    timeout_seconds: z.number().default(30).describe("-1 for no limit"),
    yield_seconds: z.number().min(0.25).max(30).optional().describe("Return after this time, leaving it running"),
  })
  .refine((call) => call.timeout_seconds === -1 || call.timeout_seconds > 0, {
    message: "must be positive, or -1 for no limit",
    path: ["timeout_seconds"],
  })
  .refine((call) => [call.command, call.input, call.command_signal].filter((one) => one !== undefined).length <= 1, {
    message: "give only one of command, input and command_signal",
  })
  .refine((call) => call.command !== undefined || (call.cwd === undefined && call.process_type === "SYNC"), {
    message: "cwd and process_type BACKGROUND need a command",
  });
export type TerminalCall = z.infer<typeof TerminalCall>;

/**
 * `completed` has an exit code; `running` has none yet; `timed_out` was killed with exit code 124;
 * `died` means the shell itself ended and was replaced.
 */
export const TerminalStatus = z.enum(["completed", "running", "timed_out", "died"]);
export type TerminalStatus = z.infer<typeof TerminalStatus>;

export const TerminalResult = z.object({
  command: z.string().optional(),
  startingCwd: z.string().optional(),
  message: z.string().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  stdoutOmittedForLength: z.literal(true).optional(),
  exitCode: z.int().optional(),
  status: TerminalStatus.optional(),
  timedOut: z.literal(true).optional(),
  interrupted: z.literal(true).optional(),
  sessionId: z.string().optional(),
  cwd: z.string().optional(),
  truncated: z.boolean().optional(),
  durationMs: z.number().optional(),
  processId: z.int().optional(),
  backgroundProcessStatus: z.enum(["running", "completed", "error"]).optional(),
  errorMessage: z.string().optional(),
});
export type TerminalResult = z.infer<typeof TerminalResult>;

/** What a person would see now: one string per row without trailing blanks; cursor counted from 0. */
export const TerminalScreen = z.object({
  sessionId: z.string(),
  lines: z.array(z.string()),
  cursor: z.object({ row: z.int(), column: z.int() }),
  columns: z.int(),
  rows: z.int(),
  status: TerminalStatus,
  command: z.string().optional(),
  alternate: z.boolean().optional(),
});
export type TerminalScreen = z.infer<typeof TerminalScreen>;

export const terminalTools = {
  run_terminal_command: {
    summary: "Run a command in the persistent terminal, type into it, signal it, or read what is new",
    input: TerminalCall,
    result: TerminalResult,
    clientSide: true,
    forcing: true,
    effect: "runs",
  },
  kill_terminal: {
    summary: "Kill a terminal session with everything that runs in it",
    input: z.object({ session_id: sessionId.optional() }),
    result: z.object({ message: z.string() }),
    clientSide: true,
    forcing: true,
    effect: "runs",
  },
  read_screen: {
    summary: "Read the screen of a terminal session as a person would see it",
    input: z.object({ session_id: sessionId.optional() }),
    result: TerminalScreen,
    clientSide: true,
    forcing: true,
    effect: "reads",
  },
  sleep: {
    summary: "Wait, for example for a server to start",
    input: z.object({ seconds: z.number().min(0).max(600) }),
    result: z.object({ message: z.string() }),
    clientSide: true,
    forcing: true,
    effect: "none",
  },
  run_file_change_hooks: {
    summary: "Run the project's file change hooks for files that were changed",
    input: z.object({ files: z.array(z.string()) }),
    result: z.array(TerminalResult.extend({ hookName: z.string() })),
    clientSide: true,
    forcing: true,
    effect: "runs",
  },
} as const satisfies ToolSpecs;
