import { type ExecFileOptions, execFile } from "node:child_process";
import { withDeathSignal } from "./death-signal.ts";

const patienceMs = 60_000;

/** What a program prints that ends by itself; throws when it fails or takes too long. It ends with us, too. */
export async function programOutput(
  program: string,
  args: readonly string[],
  options: ExecFileOptions,
): Promise<string> {
  const path = options.env?.PATH ?? process.env.PATH;
  const run = await withDeathSignal({ command: program, args }, { path, confined: false });
  return new Promise((resolve, reject) => {
    const limits = {
      timeout: patienceMs,
      killSignal: "SIGKILL",
      encoding: "utf8",
      maxBuffer: 16 * 1024 * 1024,
    } as const;
    const child = execFile(run.command, run.args, { ...options, ...limits }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const reason = error.killed === true ? `no answer in ${patienceMs / 1000} seconds` : error.message;
      reject(new Error(`${program} ${args.join(" ")} failed: ${reason} ${stderr}`.trim().slice(0, 500)));
    });
    child.stdin?.end();
  });
}
