import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const bin = fileURLToPath(new URL("../bin/sandbox-daemon.cjs", import.meta.url));

/** The same command as separate modules, for tests that ask which of them were loaded. */
export const unbundled = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** Starts the built command as a process of its own, with an environment of its own. */
export function startCommand(args: string[], env: Record<string, string> = {}, program = bin) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env },
  });
  return { child, err: text(child.stderr), exit: exitOf(child) };
}

/** Runs the command to its end. */
export async function runCommand(args: string[], env: Record<string, string> = {}, program = bin) {
  const { child, err, exit } = startCommand(args, env, program);
  const out = text(child.stdout);
  const { code } = await exit;
  return { code, out: await out, err: await err };
}

async function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const [code, signal] = await once(child, "exit");
  return { code, signal };
}

/** The first lines of a stream, once they are there. */
export function linesOf(stream: NodeJS.ReadableStream, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    let seen = "";
    stream.on("data", (chunk) => {
      seen += chunk;
      const lines = seen.split("\n");
      if (lines.length > count) resolve(lines.slice(0, count));
    });
  });
}
