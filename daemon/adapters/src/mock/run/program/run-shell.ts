import { spawn } from "node:child_process";

const mostChars = 256 * 1024;

/** Runs a command in a shell to its end, or until the turn is stopped, which kills it and what it started. */
export function runShell(
  command: string,
  { cwd, signal, show }: { cwd: string; signal: AbortSignal; show: (text: string) => void },
): Promise<{ printed: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let printed = "";
    const keep = (text: string) => {
      if (printed.length >= mostChars) return;
      printed += text;
      show(text);
    };
    const stop = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
    child.on("error", reject);
    // "exit", not "close": what the command left in the background may keep its output open.
    child.on("exit", (code) => {
      signal.removeEventListener("abort", stop);
      if (signal.aborted) reject(signal.reason);
      else setImmediate(() => resolve({ printed, code: code ?? 137 }));
    });
  });
}
