import { spawn } from "node:child_process";
import { messageOf } from "@muster/core";
import { signalGroup } from "@muster/node";
import type { HookEnd } from "./hook-outcome.ts";

export interface HookRun {
  readonly command: string;
  /** What is run in its place, such as the command behind a wall. */
  readonly runAs: string;
  readonly input: object;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** More than this a hook has nothing to say. */
const mostCharacters = 256 * 1024;
/** How long what a program has printed may be on its way when the program is over. */
const drainMs = 2_000;

/** Runs one command with the event as JSON on its standard input. Never rejects; what it started ends with it. */
export async function runHook({ command, runAs, input, cwd, env, timeoutMs, signal }: HookRun): Promise<HookEnd> {
  if (signal.aborted) return { command, exitCode: undefined, stdout: "", stderr: "", failure: "was interrupted" };
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    const child = spawn(runAs, { shell: true, cwd, env, stdio: "pipe", detached: process.platform !== "win32" });
    const ended = (exitCode: number | undefined, failure?: string) => {
      clearTimeout(late);
      clearTimeout(draining);
      signal.removeEventListener("abort", onAbort);
      signalGroup(child.pid, "SIGKILL");
      resolve({ command, exitCode, stdout, stderr, failure });
    };
    let draining: NodeJS.Timeout | undefined;
    const late = setTimeout(() => ended(undefined, `took longer than ${timeoutMs / 1000} s`), timeoutMs);
    const onAbort = () => ended(undefined, "was interrupted");
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk) => {
      if (stdout.length < mostCharacters) stdout += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      if (stderr.length < mostCharacters) stderr += String(chunk);
    });
    child.once("error", (error) => ended(undefined, `cannot run: ${messageOf(error)}`));
    child.once("exit", (code, by) => {
      const end = () => ended(code ?? undefined, by === null ? undefined : `was ended by ${by}`);
      // What it left in the background would hold its output open.
      signalGroup(child.pid, "SIGKILL");
      child.once("close", end);
      draining = setTimeout(end, drainMs);
    });
    // It may not read what it is told.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${JSON.stringify(input)}\n`);
  });
}
