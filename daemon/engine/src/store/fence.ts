import { closeSync, fstatSync, readSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { openRegular, openRegularSync, readRegular } from "@muster/node";
import { Failure } from "@muster/schema/wire";

const digits = 15;

/** The number of the newest writer; 0 where there is none, or nothing that could be read as one. */
export async function readEpoch(path: string): Promise<number> {
  const text = await readRegular(path).then(String, () => "");
  return /^\d+\n?$/.test(text) ? Number(text) : 0;
}

/** On the disk when it resolves. Written in place, because whoever watches has the file open. */
export async function writeEpoch(path: string, epoch: number): Promise<void> {
  const file = await openRegular(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return open(path, "wx", 0o600);
    throw error;
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
  readonly #path: string;
  readonly #file: number;
  readonly #place: { dev: number; ino: number };
  readonly #seen = Buffer.alloc(digits + 1);
  readonly #own: Buffer;
  #isOpen = true;

  constructor(path: string, epoch: number) {
    this.epoch = epoch;
    this.#path = path;
    this.#file = openRegularSync(path);
    this.#place = fstatSync(this.#file);
    this.#own = Buffer.from(`${String(epoch).padStart(digits, "0")}\n`);
  }

  /** Throws `writer_replaced`. Two microseconds. */
  check(): void {
    if (!this.#isOpen) return;
    const { epoch } = this;
    if (!this.#isInPlace()) {
      const what = "The data directory was moved away or replaced; this daemon writes nothing more";
      throw new Failure("writer_replaced", what, { epoch });
    }
    readSync(this.#file, this.#seen, 0, digits + 1, 0);
    if (this.#seen.equals(this.#own)) return;
    throw new Failure("writer_replaced", "Another daemon has taken the data directory; this one writes nothing more", {
      epoch,
    });
  }

  /** Where the folder is another one by now, its own daemon writes there, and the file we hold tells nothing. */
  #isInPlace(): boolean {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    return found?.ino === this.#place.ino && found.dev === this.#place.dev;
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
