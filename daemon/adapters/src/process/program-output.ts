import { type ExecFileOptions, execFile } from "node:child_process";

const patienceMs = 60_000;

/** What a program prints that ends by itself; throws when it fails or takes too long. */
export function programOutput(program: string, args: readonly string[], options: ExecFileOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = {
      timeout: patienceMs,
      killSignal: "SIGKILL",
      encoding: "utf8",
      maxBuffer: 16 * 1024 * 1024,
    } as const;
    const child = execFile(program, args, { ...options, ...limits }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const reason = error.killed === true ? `no answer in ${patienceMs / 1000} seconds` : error.message;
      reject(new Error(`${program} ${args.join(" ")} failed: ${reason} ${stderr}`.trim().slice(0, 500)));
    });
    child.stdin?.end();
  });
}
