import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join } from "node:path";
import { findOnPath, isProgram } from "./find-on-path.ts";

let found: Promise<string | undefined> | undefined;

export interface Command {
  command: string;
  args: readonly string[];
}

/**
 * The command, run so that the kernel kills it when the daemon dies, even by SIGKILL, and, confined, so that nothing it
 * runs gains rights (sudo, setuid programs). Only where util-linux's setpriv is; the pid stays that of the command.
 */
export async function withDeathSignal(
  { command, args }: Command,
  { path = "", confined }: { path: string | undefined; confined: boolean },
): Promise<Command & { isConfined: boolean }> {
  // What cannot be run is left as it is: then the error is the system's own, not setpriv's exit.
  const setpriv = await findSetpriv();
  if (setpriv === undefined || !(await isThere(command, path))) return { command, args, isConfined: false };
  const options = ["--pdeathsig", "KILL", ...(confined ? ["--no-new-privs"] : [])];
  return { command: setpriv, args: [...options, "--", command, ...args], isConfined: confined };
}

export async function canSetDeathSignal(): Promise<boolean> {
  return (await findSetpriv()) !== undefined;
}

/** By its whole path, found by the daemon: a session's own PATH may name another program first. */
function findSetpriv(): Promise<string | undefined> {
  found ??= process.platform === "linux" ? trySetpriv() : Promise.resolve(undefined);
  return found;
}

async function trySetpriv(): Promise<string | undefined> {
  const path = await findOnPath("setpriv", process.env);
  if (path === undefined) return undefined;
  return new Promise((resolve) => {
    execFile(path, ["--pdeathsig", "KILL", "true"], { timeout: 5_000 }, (error) => {
      // Out of descriptors or processes for a moment: asked again the next time.
      if (error && typeof error.code === "string") found = undefined;
      resolve(error === null ? path : undefined);
    });
  });
}

async function isThere(command: string, path: string): Promise<boolean> {
  if (command.includes("/")) return isAbsolute(command) && isProgram(command);
  for (const folder of path.split(delimiter)) if (await isProgram(join(folder, command))) return true;
  return false;
}
