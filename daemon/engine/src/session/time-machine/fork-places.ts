import type { ForkPoint } from "@muster/adapters";
import type { TurnPlace } from "@muster/schema";
import { Failure } from "@muster/schema/wire";
import type { Fold } from "../../fold.ts";
import type { KeptTurn } from "../../kept-turns.ts";

/** The conversation cut in two: the turns that stay and those that go. */
export interface Cut {
  kept: readonly KeptTurn[];
  gone: readonly KeptTurn[];
}

/** Throws `turn_not_found` for a turn that never was, or that was rewound. 0 is the beginning. */
export function cutAfter({ turns, next }: Fold, to: number, sessionId: string): Cut {
  const at = turns.findIndex(({ turn }) => turn === to);
  if (to !== 0 && at < 0) {
    const why = to < next.turn ? "is no part of the conversation: it was rewound" : "has not been";
    const known = turns.map(({ turn }) => turn);
    throw new Failure("turn_not_found", `Turn ${to} ${why}`, { sessionId, turn: to, turns: known.slice(-100) });
  }
  return { kept: turns.slice(0, at + 1), gone: turns.slice(at + 1) };
}

/** The same place in the agent's words; undefined where its conversation does not reach so far back. */
export function forkPointOf(state: Fold, { kept, gone }: Cut, directory: string): ForkPoint | undefined {
  const { nativeSessionId } = state.settings;
  const last = kept.at(-1);
  if (nativeSessionId === undefined || last === undefined || last.foreign) return undefined;
  const goneIds = new Set(gone.map(({ turnId }) => turnId));
  const dropped = [...state.messages].flatMap(([messageId, { turnId = "" }]) =>
    goneIds.has(turnId) ? [messageId] : [],
  );
  return {
    nativeSessionId,
    directory,
    isWhole: gone.length === 0,
    keep: last.last,
    // One that was cut short has told nothing of its place; the next one that has is the first that is known to go.
    drop: gone.find(({ first }) => first !== undefined)?.first,
    dropped,
    places: placesOf(kept),
  };
}

function placesOf(turns: readonly KeptTurn[]): TurnPlace[] {
  return turns.map(({ first, last }) => ({ first, last }));
}
