import type { NewLines } from "../lines/line-block.ts";

/** What `append` gives back. Numbers are final; the promises cost nothing until somebody asks for them. */
export interface Appended {
  readonly first: number;
  readonly last: number;
  readonly time: string;
  /** In the file, and published. Rejects with Failure `storage_full`. */
  readonly written: Promise<void>;
  /** On the disk as the durability mode promises. Asking is what requests the sync. */
  synced(): Promise<void>;
}

/** Lines that are written with one write. Further appends join it until its write begins. */
export class Batch {
  readonly first: number;
  last: number;
  /** Empty again when the batch is done: whoever keeps an Appended does not keep the bytes. */
  lines: NewLines[] = [];
  /** In bytes. */
  size = 0;
  #outcome: "waiting" | "written" | Error = "waiting";
  #written: Settled | undefined;

  constructor(first: number) {
    this.first = first;
    this.last = first - 1;
  }

  get written(): Promise<void> {
    if (this.#outcome === "written") return Promise.resolve();
    if (this.#outcome !== "waiting") return Promise.reject(this.#outcome);
    this.#written ??= withResolvers();
    return this.#written.promise;
  }

  add(lines: NewLines): void {
    this.last += lines.ends.length;
    this.lines.push(lines);
    this.size += lines.bytes.length;
  }

  succeed(): void {
    this.#settle("written");
    this.#written?.resolve();
  }

  fail(error: Error): void {
    this.#settle(error);
    this.#written?.reject(error);
  }

  #settle(outcome: "written" | Error): void {
    this.#outcome = outcome;
    this.lines = [];
  }
}

export class AppendedToBatch implements Appended {
  readonly first: number;
  readonly last: number;
  readonly time: string;
  readonly #batch: Batch;
  readonly #sync: (batch: Batch) => Promise<void>;

  constructor(batch: Batch, { first, time, ends }: NewLines, sync: (batch: Batch) => Promise<void>) {
    this.first = first;
    this.last = first + ends.length - 1;
    this.time = time;
    this.#batch = batch;
    this.#sync = sync;
  }

  get written(): Promise<void> {
    return this.#batch.written;
  }

  synced(): Promise<void> {
    return this.#sync(this.#batch);
  }
}

interface Settled {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

// Promise.withResolvers is not in Node 20.
function withResolvers(): Settled {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
