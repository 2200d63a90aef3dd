import type { Place } from "./author.ts";
import type { PointLog } from "./point-log.ts";
import type { Snapshot } from "./points.ts";

/** There is no snapshot of the turn that was named, or no move of that name. */
export class NoSnapshot extends Error {
  override readonly name = "NoSnapshot";
}

/** Finds what the directory held at the end of a turn, which the next turn's begin knows as well. */
export class SnapshotFinder {
  readonly #points: PointLog;

  constructor(points: PointLog) {
    this.#points = points;
  }

  has(place: Place): boolean {
    return this.#pointOf(place) !== undefined;
  }

  find(place: Place): Snapshot {
    const n = this.#pointOf(place);
    const snapshot = n === undefined ? undefined : this.#points.snapshotAt(n);
    if (snapshot === undefined) throw new NoSnapshot(`There is no snapshot of the end of turn ${place.turn}`);
    return snapshot;
  }

  /** The turns of a session whose end is known. */
  turnsOf(session: string): number[] {
    const turns = this.#points.all.flatMap(({ session: whose, kind, turn = 0 }) => {
      if (whose !== session) return [];
      return kind === "end" ? [turn] : kind === "begin" ? [turn - 1] : [];
    });
    return [...new Set(turns)].sort((a, b) => a - b);
  }

  #pointOf({ session, turn }: Place): number | undefined {
    const own = this.#points.all.filter((point) => point.session === session);
    const end = own.findLast((point) => point.kind === "end" && point.turn === turn);
    return (end ?? own.find((point) => point.kind === "begin" && point.turn === turn + 1))?.n;
  }
}
