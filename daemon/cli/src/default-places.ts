import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandEnvironment } from "./environment/command-environment.ts";

export const defaultHost = "127.0.0.1";
export const defaultPort = 2468;

/** Where the daemon keeps its sessions and its token unless it is told otherwise. */
export function dataDirectoryOf({ env, home }: Pick<CommandEnvironment, "env" | "home">): string {
  if (env.SANDBOX_DAEMON_DATA_DIR) return resolve(env.SANDBOX_DAEMON_DATA_DIR);
  // The XDG specification says to ignore relative paths.
  const base = env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : join(home, ".local", "share");
  return join(base, "muster");
}

/** Where the person is: `npm start` runs in the package, and says in INIT_CWD where it was typed. */
export function userDirectory(env: Record<string, string | undefined>, workingDirectory: string): string {
  const { INIT_CWD: typedIn, npm_lifecycle_event: script } = env;
  return typedIn !== undefined && script !== undefined && isAbsolute(typedIn) ? typedIn : workingDirectory;
}

/** Where agents of a daemon work when a session does not say: where it was started, but never in its own source. */
export function agentDirectory({ directory, home }: Pick<CommandEnvironment, "directory" | "home">): string {
  const way = relative(ownSource, directory);
  const isOwn = way === "" || (!way.startsWith("..") && !isAbsolute(way));
  if (!isOwn) return directory;
  return existsSync(home) ? home : tmpdir();
}

/** The clone this file belongs to; where it was installed, only the package itself. */
const ownSource = (() => {
  const here = fileURLToPath(new URL("..", import.meta.url));
  const clone = resolve(here, "../..");
  return existsSync(join(clone, "daemon", "cli", "package.json")) ? clone : resolve(here);
})();
