import type { NewLines } from "../lines/line-block.ts";

/** Lines that are written with one write. Further appends join it until its write begins. */
export class Batch {
  readonly first: number;
  last: number;
  /** Empty again when the batch is done: whoever keeps an Appended does not keep the bytes. */
  lines: NewLines[] = [];
  /** In bytes. */
  size = 0;
  /** Begun once the batch is written, a sync is for everybody who wants this batch: who comes later needs no other. */
  synced: Promise<void> | undefined;
  #outcome: "waiting" | "written" | Error = "waiting";
  #written: Promise<void> | undefined;
  #tell: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(first: number) {
    this.first = first;
    this.last = first - 1;
  }

  get written(): Promise<void> {
    if (this.#outcome === "written") return Promise.resolve();
    if (this.#outcome !== "waiting") return Promise.reject(this.#outcome);
    this.#written ??= new Promise((resolve, reject) => {
      this.#tell = { resolve, reject };
    });
    return this.#written;
  }

  add(lines: NewLines): void {
    this.last += lines.ends.length;
    this.lines.push(lines);
    this.size += lines.bytes.length;
  }

  succeed(): void {
    this.#settle("written");
    this.#tell?.resolve();
  }

  fail(error: Error): void {
    this.#settle(error);
    this.#tell?.reject(error);
  }

  #settle(outcome: "written" | Error): void {
    this.#outcome = outcome;
    this.lines = [];
  }
}

/** What `append` gives back. Numbers are final; the promises cost nothing until somebody asks for them. */
export class Appended {
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

  /** In the file, and published. Rejects with Failure `storage_full`. */
  get written(): Promise<void> {
    return this.#batch.written;
  }

  /** On the disk as the durability mode promises. Asking is what requests the sync. */
  synced(): Promise<void> {
    this.#batch.synced ??= this.#sync(this.#batch);
    return this.#batch.synced;
  }
}
