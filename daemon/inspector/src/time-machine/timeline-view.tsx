import { useObservable } from "@muster/web-parts";
import { useEffect } from "preact/hooks";
import type { SessionLog } from "../store/session-log.ts";
import { ForkComparison } from "./fork-comparison.tsx";
import { HandOverForm } from "./hand-over-form.tsx";
import { TurnRow } from "./turn-row.tsx";

/** The turns of a session with what they changed, and the ways back, aside and over to another agent. */
export function TimelineView({ log }: { log: SessionLog }) {
  useObservable(log);
  useEffect(() => {
    let isGone = false;
    if (log.state === "live") void log.loadAll(() => !isGone);
    return () => {
      isGone = true;
    };
  }, [log.state === "live"]);
  const turns = [...log.fold.turns.values()];
  const isBusy = log.fold.openTurn !== undefined;
  return (
    <div class="changes">
      <div class="page">
        <HandOverForm sessionId={log.sessionId} isBusy={isBusy} />
        <ForkComparison sessionId={log.sessionId} />
        <ol class="timeline" aria-label="Turns">
          <TurnRow sessionId={log.sessionId} turn={0} isBusy={isBusy} isGone={false} />
          {turns.map(({ turnId, rewound, endedAt }) => (
            <TurnRow
              key={turnId}
              sessionId={log.sessionId}
              turn={numberOf(turnId)}
              isBusy={isBusy || endedAt === undefined}
              isGone={rewound === true}
            />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Turns count from 1; their ids say their number. */
function numberOf(turnId: string): number {
  return Number(turnId.slice(turnId.indexOf("_") + 1));
}
