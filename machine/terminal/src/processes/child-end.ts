import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";

/**
 * Exit code of a child (a signal n is 128 + n, 127 when it could not be started), once its output was read.
 * A process it left behind may hold the pipes open for ever: then it ends when nothing comes any more, or after a second.
 */
export function childEnd(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let exitCode = 127;
    let pieces = 0;
    const count = () => {
      pieces++;
    };
    child.stdout?.on("data", count);
    child.stderr?.on("data", count);
    const settle = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(exitCode);
    };
    const waitForQuiet = (rounds: number) => {
      const before = pieces;
      // The immediate comes after a turn of reading: on a busy machine the timer alone may come before it.
      const look = () => (pieces === before || rounds === 0 ? settle() : waitForQuiet(rounds - 1));
      setTimeout(() => setImmediate(look), 100);
    };
    child.on("error", settle);
    child.on("exit", (code, signal) => {
      exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      waitForQuiet(10);
    });
    child.on("close", settle);
  });
}
