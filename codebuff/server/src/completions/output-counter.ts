import { dataOf, framesOf } from "@muster/node";

/** Slices are parsed when somebody asks for the count, or when as much as this has come since. */
const mostWaitingBytes = 1024 * 1024;
/** And never for less than this: a short answer is not parsed at all. */
const fewBytes = 16 * 1024;

/** Counts the characters a model wrote. Most streams tell their usage, so nothing is parsed until it is needed. */
export class OutputCounter {
  readonly #most: number;
  readonly #stop: () => void;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #characters = 0;
  #serviceId: string | undefined;

  /** Calls `stop` when the model has written more than so many characters. */
  constructor(most = Number.POSITIVE_INFINITY, stop: () => void = () => {}) {
    this.#most = most;
    this.#stop = stop;
  }

  push(slice: Buffer): void {
    this.#waiting.push(slice);
    this.#bytes += slice.length;
    // A character is a byte at least, so that nothing is looked at that cannot be too much yet.
    const few = Math.max(fewBytes, this.#most - this.#characters);
    if (this.#bytes <= Math.min(few, mostWaitingBytes)) return;
    this.#count();
    if (this.#characters > this.#most) this.#stop();
  }

  get characters(): number {
    this.#count();
    return this.#characters;
  }

  /** The provider's id of the answer: nearly always in its first frame, which is all that is looked at then. */
  get serviceId(): string | undefined {
    for (const slice of this.#waiting) {
      for (const frame of framesOf(slice)) {
        this.#serviceId ??= read(dataOf(frame))?.id;
        if (this.#serviceId !== undefined) return this.#serviceId;
      }
    }
    return this.#serviceId;
  }

  #count(): void {
    for (const slice of this.#waiting) {
      for (const frame of framesOf(slice)) {
        const { id, characters = 0 } = read(dataOf(frame)) ?? {};
        this.#serviceId ??= id;
        this.#characters += characters;
      }
    }
    this.#waiting = [];
    this.#bytes = 0;
  }
}

function read(data: string | undefined): { id: string | undefined; characters: number } | undefined {
  if (data === undefined || !data.startsWith("{")) return undefined;
  try {
    const { id, choices } = JSON.parse(data) as { id?: unknown; choices?: unknown };
    const deltas = Array.isArray(choices) ? choices.map((choice) => choice?.delta) : [];
    return {
      id: typeof id === "string" ? id : undefined,
      characters: deltas.reduce((sum: number, delta) => sum + charactersIn(delta), 0),
    };
  } catch {
    // A frame that is not JSON is the provider's fault; the client sees it as it is.
    return undefined;
  }
}

/** Text, reasoning and the arguments of calls alike: all of it is output. */
export function charactersIn(said: unknown): number {
  if (typeof said === "string") return said.length;
  if (typeof said !== "object" || said === null) return 0;
  return Object.entries(said).reduce((sum, [key, value]) => (skipped.has(key) ? sum : sum + charactersIn(value)), 0);
}

const skipped = new Set(["role", "id", "type", "index"]);
