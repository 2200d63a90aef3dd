import { isAbsolute, join, resolve } from "node:path";
import type { CommandEnvironment } from "./command-environment.ts";

export const defaultHost = "127.0.0.1";
export const defaultPort = 2468;

/** Where the daemon keeps its sessions and its token unless it is told otherwise. */
export function dataDirectoryOf({ env, home }: Pick<CommandEnvironment, "env" | "home">): string {
  if (env.SANDBOX_DAEMON_DATA_DIR) return resolve(env.SANDBOX_DAEMON_DATA_DIR);
  // The XDG specification says to ignore relative paths.
  const base = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, ".local", "share");
  return join(base, "muster");
}
