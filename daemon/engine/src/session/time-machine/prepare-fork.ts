import type { Body, UniversalEvent } from "@muster/schema";
import { Failure } from "@muster/schema/wire";
import type { EventLog } from "../../event-log/index.ts";
import type { Fold } from "../../fold.ts";

/** Where a fork begins when nobody says: after the last turn that is over. */
export function lastTurnOver({ turns, turn: open }: Fold): number {
  return turns.findLast(({ turnId }) => turnId !== open?.turnId)?.turn ?? 0;
}

/** Throws for a turn that is still going on. */
export function mustBeOver({ turns, turn: open }: Fold, at: number, sessionId: string): void {
  const kept = turns.find(({ turn }) => turn === at);
  if (kept === undefined || kept.turnId !== open?.turnId) return;
  throw new Failure("cannot_fork", `Turn ${at} is still going on`, { sessionId, turn: at });
}

/** The last event of the log that a fork at this turn has: the turn's end, or what came before the first message. */
export async function endOfTurn(log: EventLog, state: Fold, at: number): Promise<number> {
  const turnId = state.turns.find(({ turn }) => turn === at)?.turnId;
  let last = 0;
  for await (const event of log.events(0)) {
    if (turnId === undefined && isBeginning(event)) return last;
    last = event.sequence;
    if (event.type === "turn.ended" && event.data.turnId === turnId) return last;
  }
  return last;
}

function isBeginning({ type }: UniversalEvent): boolean {
  return type === "message.updated" || type === "turn.started";
}

export interface PreparedFork {
  /** The last event that is shared. */
  upTo: number;
  body: Body<"session.forked">;
}
