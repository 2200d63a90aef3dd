import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach } from "vitest";

const running = new Set<ChildProcess>();

// Whatever a test leaves running, because an assertion failed or it ran out of time, ends with it; and with this process.
afterEach(() => Promise.all([...running].map((child) => endChild(child, "SIGKILL"))).then(() => {}));
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** A process that does not outlive the test that started it. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options);
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Resolves to the exit code. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}
