import type { TerminalResult } from "@muster/codebuff-protocol";
import { boundedText, type DetachedCommand, type DetachedOptions, OutputBuffer, startDetached } from "@muster/terminal";
import { aborted, orAborted } from "./abort.ts";
import { limits } from "./limits.ts";

export interface OneShot {
  command: string;
  cwd: string;
  /** Infinity for none. */
  limitMs: number;
  signal?: AbortSignal | undefined;
  onOutput?(bytes: Buffer, stream: "stdout" | "stderr"): void;
}

/** Runs one command in a fresh shell and leaves nothing of it behind, so any number may run side by side. */
export function runOneShot(options: OneShot & Omit<DetachedOptions, "onOutput">): Promise<TerminalResult> {
  return reportOneShot(options, (onOutput) => startDetached({ ...options, onOutput }));
}

/** What became of a command, however it was started: its end, its limit or an abort, and what it wrote. */
export async function reportOneShot(
  options: OneShot,
  start: (onOutput: DetachedOptions["onOutput"]) => DetachedCommand,
): Promise<TerminalResult> {
  const { command, cwd } = options;
  const startedAt = Date.now();
  const output = { stdout: new OutputBuffer(half), stderr: new OutputBuffer(half) };
  const detached = start((bytes, stream) => {
    output[stream].append(bytes);
    options.onOutput?.(bytes, stream);
  });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    if (Number.isFinite(options.limitMs)) limit = setTimeout(() => resolve("late"), options.limitMs);
  });
  const outcome = await orAborted(Promise.race([detached.ended, late]), options.signal);
  clearTimeout(limit);
  await detached.end(outcome === aborted ? limits.abortGraceMs : outcome === "late" ? limits.timeoutGraceMs : 0);
  const exitCode = await detached.ended;

  const stdout = boundedText(output.stdout.take(), limits.resultCharacters);
  const stderr = boundedText(output.stderr.take(), limits.resultCharacters);
  return {
    command,
    startingCwd: cwd,
    stdout: stdout.text,
    ...(stderr.text === "" ? {} : { stderr: stderr.text }),
    ...(outcome === aborted
      ? {
          status: "died",
          exitCode: 130,
          interrupted: true,
          message: "Interrupted. Everything it had started was killed.",
        }
      : outcome === "late"
        ? { status: "timed_out", exitCode: 124, timedOut: true }
        : { status: "completed", exitCode }),
    ...(stdout.truncated || stderr.truncated ? { truncated: true } : {}),
    durationMs: Date.now() - startedAt,
  };
}

const half = { headBytes: 128 * 1024, tailBytes: 384 * 1024 };
