import { chmod, lstat, realpath, stat } from "node:fs/promises";
import { makeDirectories } from "@muster/node";
import type { EngineLog } from "../engine-log.ts";

/**
 * Makes the data directory and gives its real path: behind a link that somebody points elsewhere later, the sessions would be
 * gone. Where others may write it is closed to them, or said: whoever can put files there decides what this daemon runs.
 */
export async function openDataDirectory(path: string, log: EngineLog): Promise<string> {
  await makeDirectories(path);
  const real = await realpath(path);
  if ((await lstat(path)).isSymbolicLink())
    log("warn", "the data directory is a link; what it points to is used", { path, real });
  const { uid, mode } = await stat(real);
  const isOurs = uid === process.getuid?.();
  if (process.platform === "win32" || (mode & 0o022) === 0) {
    if (!isOurs && process.getuid !== undefined && uid !== 0) {
      log("warn", "the data directory belongs to another user, who can change everything in it", { path: real, uid });
    }
    return real;
  }
  const modeText = (mode & 0o7777).toString(8).padStart(4, "0");
  if (isOurs) {
    await chmod(real, mode & 0o755);
    log("warn", "others could write in the data directory; that is taken from them", { path: real, mode: modeText });
  } else {
    log("warn", "others can write in the data directory: make it 0700 and its owner the user of the daemon", {
      path: real,
      mode: modeText,
    });
  }
  return real;
}
