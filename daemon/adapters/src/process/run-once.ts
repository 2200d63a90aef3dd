import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { childEnvironment } from "./child-environment.ts";
import { newMarker } from "./spawn-record.ts";
import type { ProcessHost, ProcessOptions } from "./supervised-process.ts";

const patienceMs = 60_000;
const mostBytes = 16 * 1024 * 1024;

/** A program of an agent for one thing it does with its files: waited for, and killed when that takes too long. Gives what it printed. */
export async function runOnce(
  host: Pick<ProcessHost, "env" | "user">,
  { command, args, directory, env, signal }: Omit<ProcessOptions, "agent"> & { signal?: AbortSignal | undefined },
): Promise<string> {
  const { user } = host;
  const own: Record<string, string> = user ? { HOME: user.home, USER: user.name, LOGNAME: user.name } : {};
  const running = promisify(execFile)(command, [...args], {
    cwd: directory,
    env: childEnvironment(host.env, { ...own, ...env }, newMarker()),
    uid: user?.uid,
    gid: user?.gid,
    timeout: patienceMs,
    killSignal: "SIGKILL",
    maxBuffer: mostBytes,
    signal,
  });
  running.child.stdin?.end();
  return (await running).stdout;
}
