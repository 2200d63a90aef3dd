import { readFileSync } from "node:fs";
import { join } from "node:path";

/** In the data directory: where the daemon that has it listens. */
export const endpointFile = "endpoint";

/** What a daemon keeps in its data directory for the commands of its user. */
export function readKept(dataDirectory: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDirectory, name), "utf8").trim() || undefined;
  } catch {
    // No daemon of this user has made one here; the daemon's answer tells if it is needed.
    return undefined;
  }
}
