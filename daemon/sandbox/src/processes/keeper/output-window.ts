import type { OutputStream } from "./frames.ts";

export interface WindowPiece {
  readonly stream: OutputStream;
  readonly offset: number;
  readonly bytes: Buffer;
}

export interface OutputWindowOptions {
  /** Of all the output together. */
  mostBytes: number;
  onPiece(piece: WindowPiece): void;
  onFull(): void;
  onRoom(): void;
  /** Told once, when the most bytes are reached; what comes after them is not kept. */
  onLimit(): void;
}

/** Output that nobody has yet said to have on disk. With more, the process waits until somebody takes it. */
const fullBytes = 1024 * 1024;

/** The output of one process between its pipes and the disk: numbered by its bytes, held until acknowledged. */
export class OutputWindow {
  readonly #options: OutputWindowOptions;
  #held: WindowPiece[] = [];
  #heldBytes = 0;
  #end = 0;
  #isFull = false;
  /** The last of a process that is gone is read whether there is room or not. */
  #isOpen = false;
  #isDropped = false;
  #isOver = false;

  constructor(options: OutputWindowOptions) {
    this.#options = options;
  }

  /** How much there was in all. */
  get end(): number {
    return this.#end;
  }

  get heldFrom(): number {
    return this.#held[0]?.offset ?? this.#end;
  }

  add(stream: OutputStream, bytes: Buffer): void {
    const room = this.#options.mostBytes - this.#end;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    if (kept.length > 0) this.#keep({ stream, offset: this.#end, bytes: kept });
    if (kept.length === bytes.length || this.#isOver) return;
    this.#isOver = true;
    this.#options.onLimit();
  }

  acknowledge(offset: number): void {
    let taken = 0;
    while (taken < this.#held.length && endOf(this.#held[taken]) <= offset) {
      this.#heldBytes -= this.#held[taken]?.bytes.length ?? 0;
      taken++;
    }
    if (taken > 0) this.#held = this.#held.slice(taken);
    if (this.#isFull && this.#heldBytes <= fullBytes / 2) {
      this.#isFull = false;
      this.#options.onRoom();
    }
  }

  /** Tells all that is held once more. */
  replay(): void {
    for (const piece of this.#held) this.#options.onPiece(piece);
  }

  /** Reads on, full or not. */
  open(): void {
    this.#isOpen = true;
    this.#isFull = false;
    this.#options.onRoom();
  }

  /** Keeps nothing any more. */
  drop(): void {
    this.#isDropped = true;
    this.#held = [];
    this.#heldBytes = 0;
    this.open();
  }

  #keep(piece: WindowPiece): void {
    this.#end += piece.bytes.length;
    if (this.#isDropped) return;
    this.#held.push(piece);
    this.#heldBytes += piece.bytes.length;
    this.#options.onPiece(piece);
    if (this.#heldBytes < fullBytes || this.#isFull || this.#isOpen) return;
    this.#isFull = true;
    this.#options.onFull();
  }
}

function endOf(piece: WindowPiece | undefined): number {
  return (piece?.offset ?? 0) + (piece?.bytes.length ?? 0);
}
