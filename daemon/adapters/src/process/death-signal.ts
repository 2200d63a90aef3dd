import { execFile } from "node:child_process";
import { delimiter, isAbsolute, join } from "node:path";
import { isProgram } from "./find-on-path.ts";

let supported: Promise<boolean> | undefined;

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
  if (!(await canSetDeathSignal()) || !(await isThere(command, path))) return { command, args, isConfined: false };
  const options = ["--pdeathsig", "KILL", ...(confined ? ["--no-new-privs"] : [])];
  return { command: "setpriv", args: [...options, "--", command, ...args], isConfined: confined };
}

export function canSetDeathSignal(): Promise<boolean> {
  supported ??= new Promise((resolve) => {
    if (process.platform !== "linux") return resolve(false);
    execFile("setpriv", ["--pdeathsig", "KILL", "true"], { timeout: 5_000 }, (error) => {
      // Out of descriptors or processes for a moment: asked again the next time.
      if (error && typeof error.code === "string" && error.code !== "ENOENT") supported = undefined;
      resolve(error === null);
    });
  });
  return supported;
}

async function isThere(command: string, path: string): Promise<boolean> {
  if (command.includes("/")) return isAbsolute(command) && isProgram(command);
  for (const folder of path.split(delimiter)) if (await isProgram(join(folder, command))) return true;
  return false;
}
