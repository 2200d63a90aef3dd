import type { FileChange } from "@muster/schema/wire";
import { pathFields } from "../inside/path-bytes.ts";

type Kind = NonNullable<FileChange["kind"]>;
export type Change = { readonly type: "created" | "changed"; readonly kind: Kind } | { readonly type: "removed" };

const mostWaiting = 10_000;

/** Changes that wait for their reader. One that does not keep up is told to look again, not what it has missed. */
export class ChangeQueue {
  #number: number;
  #waiting = new Map<string, FileChange>();
  #wake: (() => void) | undefined;
  #failure: unknown;
  #isEnded = false;

  /** Goes on behind this number. */
  constructor(after: number) {
    this.#number = after;
  }

  tell(type: "watching"): void {
    this.#add(type, { number: 0, type });
  }

  /** Something was missed: what waits means nothing any more. */
  overflow(): void {
    this.#waiting.clear();
    this.#add("overflow", { number: 0, type: "overflow" });
  }

  /** The same change of the same path that still waits is told once. */
  add(path: Buffer, change: Change): void {
    if (this.#waiting.has("overflow") && this.#waiting.size === 1) return;
    if (this.#waiting.size >= mostWaiting) return this.overflow();
    const key = `${change.type} ${path.toString("latin1")}`;
    if (this.#waiting.has(key)) this.#waiting.delete(key);
    this.#add(key, { number: 0, ...change, ...pathFields(path) });
  }

  end(failure?: unknown): void {
    this.#isEnded = true;
    this.#failure = failure;
    this.#wake?.();
  }

  /** The next changes; undefined at the end. */
  async take(): Promise<FileChange[] | undefined> {
    while (this.#waiting.size === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const changes = [...this.#waiting.values()].map((change) => ({ ...change, number: ++this.#number }));
    this.#waiting = new Map();
    return changes;
  }

  #add(key: string, change: FileChange): void {
    this.#waiting.set(key, change);
    this.#wake?.();
  }
}
