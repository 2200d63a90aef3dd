import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";

/** In the data directory; the older half stands beside it. */
export const logFileName = "daemon.log";
export const olderLogFileName = "daemon.log.1";

/** Of each of the two files. */
const mostBytes = 4 << 20;

/**
 * A copy of the log in the data directory, for `sandbox-daemon logs`: never more than 8 MiB. Best effort, because standard
 * error has the same: a disk that takes nothing stops no daemon.
 */
export class LogFile {
  readonly #directory: string;
  readonly #mostBytes: number;
  #descriptor: number | undefined;
  #bytes = 0;

  constructor(directory: string, most = mostBytes) {
    this.#directory = directory;
    this.#mostBytes = most;
  }

  write(line: string): void {
    try {
      this.#descriptor ??= this.#open();
      this.#bytes += writeSync(this.#descriptor, line);
      if (this.#bytes >= this.#mostBytes) this.#turn();
    } catch {
      // The directory is not there yet, or the disk is full: the next line tries again.
      this.close();
    }
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) closeSync(descriptor);
  }

  #open(): number {
    const descriptor = openSync(join(this.#directory, logFileName), "a", 0o600);
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  #turn(): void {
    this.close();
    renameSync(join(this.#directory, logFileName), join(this.#directory, olderLogFileName));
  }
}
