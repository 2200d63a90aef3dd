import { closeSync, fdatasync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bootId, openRegularSync, syncDirectory } from "@muster/node";
import { crc32 } from "../lines/crc32.ts";
import type { Durability } from "./durability.ts";

/** A file of one line beside the segments, written in place. */
const name = "head";
const line = /^1 (\d{15}) (\d{15}) ([\x21-\x7e]{1,64}) (batch|sync|none) ([0-9a-f]{8})\n/;
const digits = 15;

/** Quiet logs reserve few numbers, busy ones many: so many may be skipped after a power loss. */
const [fewNumbers, manyNumbers] = [1_000, 10_000];
const datasync = promisify(fdatasync);

/**
 * The highest number anyone may have seen, whatever became of the segments; 0 where that is not known. As long as the
 * machine runs, what was noted is exact. After a power loss with `batch`, published lines may never have reached the
 * disk: then it is the last number that was reserved for them.
 */
export async function lastSeen(directory: string): Promise<number> {
  const head = readHead(directory);
  if (!head) return 0;
  const isExact = head.durability !== "batch" || head.boot === bootId();
  return isExact ? head.last : Math.max(head.last, head.reserved);
}

/** Notes how far a log was shown, before it is shown. */
export class LogHead {
  readonly #directory: string;
  readonly #durability: Durability;
  #file: number | undefined;
  #boot = "";
  #last = 0;
  /** On the disk: nothing above is published. Always all of them where nothing is published before it is synced. */
  #reserved = 0;
  /** In the file, and perhaps not yet on the disk. */
  #asked = 0;
  #step = fewNumbers;
  #extending: Promise<void> | undefined;

  constructor(directory: string, durability: Durability) {
    this.#directory = directory;
    this.#durability = durability;
  }

  /** A promise when numbers up to `last` have to be reserved first; where few are left, more are reserved meanwhile. */
  reserve(last: number): Promise<void> | undefined {
    if (this.#file === undefined || last > this.#reserved) return this.#extendUpTo(last);
    const isHalfUsed = last > this.#reserved - this.#step / 2;
    // What fails now is tried again, and told, when the numbers are needed.
    if (isHalfUsed && this.#extending === undefined) this.#extend(last).catch(() => {});
    return undefined;
  }

  /** Everything up to `last` is about to be published. Not synced: this is for the time the machine runs. */
  note(last: number): void {
    this.#last = last;
    this.#write();
  }

  /** `isWhole`: everything that was published is on the disk, and nothing more is reserved. */
  async close(isWhole: boolean): Promise<void> {
    // It was told where it mattered.
    await this.#extending?.catch(() => {});
    const file = this.#file;
    if (file === undefined) return;
    try {
      if (!isWhole || this.#durability !== "batch") return;
      this.#asked = this.#last;
      this.#write();
      await datasync(file);
    } finally {
      this.#file = undefined;
      closeSync(file);
    }
  }

  /** One that is under way may have been asked for fewer. */
  async #extendUpTo(last: number): Promise<void> {
    do await this.#extend(last);
    while (last > this.#reserved);
  }

  #extend(last: number): Promise<void> {
    this.#extending ??= this.#reserveFrom(last).finally(() => {
      this.#extending = undefined;
    });
    return this.#extending;
  }

  async #reserveFrom(last: number): Promise<void> {
    const isNew = this.#file === undefined;
    this.#boot ||= bootId();
    this.#file ??= openHead(this.#directory);
    if (this.#durability !== "batch") {
      this.#reserved = Number.MAX_SAFE_INTEGER;
      return;
    }
    this.#step = isNew ? fewNumbers : manyNumbers;
    this.#asked = last + this.#step;
    this.#write();
    await datasync(this.#file);
    if (isNew) await syncDirectory(this.#directory);
    this.#reserved = this.#asked;
  }

  #write(): void {
    if (this.#file === undefined) return;
    const reserved = Math.max(this.#asked, this.#last);
    const text = `1 ${numbered(this.#last)} ${numbered(reserved)} ${this.#boot} ${this.#durability}`;
    writeSync(this.#file, `${text} ${checksum(text)}\n`, 0);
  }
}

function openHead(directory: string): number {
  const path = join(directory, name);
  try {
    return openRegularSync(path, "r+");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EFTYPE") throw error;
    // What is no file told us nothing when the log was opened.
    rmSync(path, { force: true });
    return openSync(path, "wx", 0o600);
  }
}

interface Head {
  last: number;
  reserved: number;
  boot: string;
  durability: Durability;
}

/** undefined where there is none, or none that is what was written: then the log alone tells. */
function readHead(directory: string): Head | undefined {
  let text: string;
  try {
    const file = openRegularSync(join(directory, name));
    try {
      text = readFileSync(file, "latin1");
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
  const [whole = "", last, reserved, boot = "", durability, sum] = line.exec(text) ?? [];
  if (whole === "" || checksum(whole.slice(0, -1 - 8 - 1)) !== sum) return undefined;
  return { last: Number(last), reserved: Number(reserved), boot, durability: durability as Durability };
}

function numbered(value: number): string {
  return String(value).padStart(digits, "0");
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
