import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program that has said what was waited for. */
export interface RunningProgram {
  readonly found: RegExpExecArray;
  stop(): Promise<void>;
}

/** Starts a program with this environment and nothing else; resolves when its output matches. */
export async function startProgram(
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
  wanted: RegExp,
): Promise<RunningProgram> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  let output = "";
  const found = await new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const match = wanted.exec(output);
        if (match !== null) resolve(match);
      });
    }
    void exited.then(([code]) => reject(new Error(`${command} ended with ${code}: ${output}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
  };
  return { found, stop };
}
