import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { endChild, startChild } from "./child-processes.ts";

const program = fileURLToPath(new URL("../../bin/codebuff-server.cjs", import.meta.url));

export interface ServerProcess {
  readonly url: string;
  readonly output: string;
  /** SIGKILL: nothing is tidied up. */
  kill(): Promise<void>;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** The command itself, as a process of its own, from the build. */
export async function startServerProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const child = startChild(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let problems = "";
  child.stderr?.on("data", (chunk) => {
    problems += chunk;
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const found = /Codebuff server: (\S+)\n/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`codebuff-server ended with ${code}: ${problems.slice(-1000)}`)));
  });
  return {
    url,
    get output() {
      return output;
    },
    async kill() {
      await endChild(child, "SIGKILL");
    },
    stop: () => endChild(child, "SIGTERM"),
  };
}

/** Runs a command to its end. */
export async function runCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = startChild(process.execPath, [program, ...args], { env: { PATH: process.env.PATH, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
