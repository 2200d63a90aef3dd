import { ChildProcess, type SpawnOptions } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { TerminalResult } from "@muster/codebuff-protocol";
import { sendSignal } from "@muster/node";
import { childEnd, type Environment, terminalEnvironment } from "@muster/terminal";
import { limits } from "./limits.ts";
import { type OneShot, reportOneShot } from "./one-shot.ts";

/** How the embedding program starts a process: `spawn` of `node:child_process`, or one that does it somewhere else. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

export interface SpawnedOptions extends OneShot {
  spawn: Spawn;
  environment: Environment;
}

/** One command in a shell that somebody else's `spawn` has started. */
export function runSpawned(options: SpawnedOptions): Promise<TerminalResult> {
  const { spawn, command, cwd, environment } = options;
  return reportOneShot(options, (onOutput) => {
    const child = spawn("bash", ["-c", command], {
      cwd,
      env: { ...terminalEnvironment(environment), TERM: "dumb" },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout?.on("data", (bytes: Buffer | string) => onOutput(Buffer.from(bytes), "stdout"));
    child.stderr?.on("data", (bytes: Buffer | string) => onOutput(Buffer.from(bytes), "stderr"));
    child.on("error", (error) => onOutput(Buffer.from(`${error.message}\n`), "stderr"));
    let leaveBehind: (exitCode: number) => void = () => undefined;
    const left = new Promise<number>((resolve) => {
      leaveBehind = resolve;
    });
    return {
      pid: child.pid ?? -1,
      ended: Promise.race([childEnd(child), left]),
      async end(graceMs) {
        if (await end(child, graceMs)) return;
        // What runs elsewhere and does not listen must not hold up the run.
        leaveBehind(128 + constants.signals.SIGKILL);
      },
    };
  });
}

/** Ends its whole group. False: it was told to, and has not ended. */
async function end(child: ChildProcess, graceMs: number): Promise<boolean> {
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  kill(child, "SIGTERM");
  if (!isOver()) await Promise.race([exited, sleep(graceMs)]);
  kill(child, "SIGKILL");
  if (!isOver()) await Promise.race([exited, sleep(limits.timeoutGraceMs)]);
  return isOver();
}

/** The pid of a process that is not Node's own may be a number of another machine. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  const group = child instanceof ChildProcess ? child.pid : undefined;
  // Where nobody receives it, nothing of its group is left, or it never had one of its own.
  if (group === undefined || !sendSignal(-group, signal)) child.kill(signal);
}
