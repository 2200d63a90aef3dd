import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Line, LineSplitter } from "@muster/node";

const readBytes = 256 * 1024;

/**
 * Lines that nobody has read yet, on disk. Synchronous, because it stands between a server that must be drained and
 * memory that must not grow: every write that could wait would be memory. The file has no name, so it leaves nothing
 * behind however this process ends.
 */
export class SpillFile {
  readonly #file: number;
  #splitter = new LineSplitter({ lineBytes: Number.POSITIVE_INFINITY });
  #written = 0;
  #read = 0;

  constructor(directory: string, name: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, name);
    this.#file = openSync(path, "wx+", 0o600);
    rmSync(path);
  }

  get empty(): boolean {
    return this.#read === this.#written;
  }

  append(lines: readonly string[]): void {
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done);
    }
    this.#written += bytes.length;
  }

  /** The next lines in order; none only when it is empty. */
  take(): Line[] {
    const lines: Line[] = [];
    while (lines.length === 0 && !this.empty) {
      const bytes = Buffer.allocUnsafe(Math.min(readBytes, this.#written - this.#read));
      const count = readSync(this.#file, bytes, 0, bytes.length, this.#read);
      this.#read += count;
      lines.push(...this.#splitter.push(bytes.subarray(0, count)));
    }
    if (this.empty) {
      ftruncateSync(this.#file, 0);
      this.#read = 0;
      this.#written = 0;
    }
    return lines;
  }

  close(): void {
    closeSync(this.#file);
  }
}
