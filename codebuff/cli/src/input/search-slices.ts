import { setImmediate } from "node:timers/promises";

/** A key waits this long for a search, and so does whatever comes while it goes on. */
const turnMs = 4;

export interface Match {
  readonly target: string;
  readonly score: number;
}

export interface SlicedSearch<Slice> {
  readonly slices: readonly Slice[];
  /** The best of one slice. */
  readonly search: (slice: Slice) => readonly Match[];
  readonly limit: number;
  /** False as soon as somebody typed on: the search ends where it is, with nothing. */
  readonly isWanted: () => boolean;
}

/** The best of all slices, the best first: at once where that is quick, otherwise in turns with everything else. */
export function searchSlices<Slice>({
  slices,
  search,
  limit,
  isWanted,
}: SlicedSearch<Slice>): readonly Match[] | Promise<readonly Match[]> {
  const left = slices.values();
  let best: readonly Match[] = [];
  /** True when all slices are searched. */
  const takeTurn = (): boolean => {
    const found: Match[] = [];
    const until = performance.now() + turnMs;
    let next = left.next();
    for (; next.done !== true; next = left.next()) {
      found.push(...search(next.value));
      if (performance.now() >= until) break;
    }
    best = [...best, ...found].sort((one, other) => other.score - one.score).slice(0, limit);
    return next.done === true;
  };
  const goOn = async (): Promise<readonly Match[]> => {
    for (;;) {
      await setImmediate();
      if (!isWanted()) return [];
      if (takeTurn()) return best;
    }
  };
  return takeTurn() ? best : goOn();
}
