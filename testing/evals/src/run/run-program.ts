import { spawn } from "node:child_process";
import { signalGroup } from "@muster/node";

export interface ProgramCall {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The program and all it started are killed after so long. */
  readonly timeoutMs: number;
}

export interface ProgramEnd {
  /** undefined when it was killed. */
  readonly code: number | undefined;
  readonly isLate: boolean;
  /** The end of what it printed, of both streams as they came. */
  readonly output: string;
}

/** What is kept of a program's output: its end, where a failure is told. */
const keptBytes = 64 * 1024;

/** Runs a program in a process group of its own to its end, or for as long as it may. */
export function runProgram(command: readonly [string, ...string[]], call: ProgramCall): Promise<ProgramEnd> {
  const [program, ...args] = command;
  const { cwd, env, timeoutMs } = call;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let kept = Buffer.alloc(0);
    let isLate = false;
    const keep = (piece: Buffer) => {
      kept = Buffer.concat([kept, piece]).subarray(-keptBytes);
    };
    const timer = setTimeout(() => {
      isLate = true;
      signalGroup(child.pid, "SIGKILL");
    }, timeoutMs);
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // "exit", not "close": a process that the program left behind may hold its output open for ever.
    child.on("exit", (code) => {
      clearTimeout(timer);
      signalGroup(child.pid, "SIGKILL");
      setImmediate(() =>
        resolve({ code: isLate ? undefined : (code ?? undefined), isLate, output: kept.toString("utf8") }),
      );
    });
  });
}
