import { closeSync, openSync, readSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Failure } from "@muster/schema";

const digits = 15;

/** The number of the newest writer; 0 where there is none, or nothing that could be read as one. */
export async function readEpoch(path: string): Promise<number> {
  const text = await readFile(path, "utf8").catch(() => "");
  return /^\d+\n?$/.test(text) ? Number(text) : 0;
}

/** On the disk when it resolves. Written in place, because whoever watches has the file open. */
export async function writeEpoch(path: string, epoch: number): Promise<void> {
  const file = await open(path, "a+", 0o600).then(async (made) => {
    await made.close();
    return open(path, "r+");
  });
  try {
    await file.write(Buffer.from(`${String(epoch).padStart(digits, "0")}\n`), 0, digits + 1, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Tells before every write whether the directory is still ours. Where the kernel sees all daemons it always is; on a
 * disk that two machines share, the later one takes it, and the earlier one stops here.
 */
export class Fence {
  readonly epoch: number;
  readonly #file: number;
  readonly #seen = Buffer.alloc(digits + 1);
  readonly #own: Buffer;
  #isOpen = true;

  constructor(path: string, epoch: number) {
    this.epoch = epoch;
    this.#file = openSync(path, "r");
    this.#own = Buffer.from(`${String(epoch).padStart(digits, "0")}\n`);
  }

  /** Throws `writer_replaced`. Half a microsecond. */
  check(): void {
    if (!this.#isOpen) return;
    readSync(this.#file, this.#seen, 0, digits + 1, 0);
    if (this.#seen.equals(this.#own)) return;
    throw new Failure("writer_replaced", "Another daemon has taken the data directory; this one writes nothing more", {
      epoch: this.epoch,
    });
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
