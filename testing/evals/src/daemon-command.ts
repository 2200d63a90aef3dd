import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The daemon's command: MUSTER_DAEMON, the one that is installed beside this package, or the one on PATH. */
export function daemonCommand(env: NodeJS.ProcessEnv): readonly [string, ...string[]] {
  if (env.MUSTER_DAEMON)
    return env.MUSTER_DAEMON.endsWith("js") ? [process.execPath, env.MUSTER_DAEMON] : [env.MUSTER_DAEMON];
  try {
    const entry = createRequire(import.meta.url).resolve("@muster/sandbox-daemon");
    return [process.execPath, join(dirname(entry), "..", "bin", "sandbox-daemon.cjs")];
  } catch {
    // Not installed beside this package: the one on PATH is taken.
    return ["sandbox-daemon"];
  }
}
