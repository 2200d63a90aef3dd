import { spawn } from "node:child_process";

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs: number;
  /** Names of files are separated by NUL, because they may hold newlines. */
  readonly separator?: "\n" | "\0";
  /** Called per line of output. Returning false means: enough. */
  readonly onLine: (line: string) => boolean;
}

export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  readonly stopped: "enough" | "timeout" | "aborted" | undefined;
}

/** Runs ripgrep to its end, or kills it when enough is read, the time is over or the signal says so. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const { rgPath } = await import("@vscode/ripgrep");
  const child = spawn(rgPath, ["--no-config", ...run.args], { cwd: run.cwd, stdio: ["ignore", "pipe", "pipe"] });
  let stopped: RipgrepEnd["stopped"];
  const stop = (why: RipgrepEnd["stopped"]) => {
    stopped ??= why;
    child.kill("SIGKILL");
  };
  const timer = setTimeout(() => stop("timeout"), run.timeoutMs);
  const onAbort = () => stop("aborted");
  run.signal?.addEventListener("abort", onAbort, { once: true });
  if (run.signal?.aborted) onAbort();
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < 4000) stderr += text;
  });
  const separator = run.separator ?? "\n";
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(separator);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (stopped !== undefined) return;
      if (!run.onLine(line)) stop("enough");
    }
  });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (rest !== "" && stopped === undefined) run.onLine(rest);
    return { exitCode, stderr, stopped };
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener("abort", onAbort);
  }
}
