import { useNow, useObservable } from "@muster/web-parts";
import { useEffect } from "preact/hooks";
import { OlderNote } from "../chat/older-note.tsx";
import { modelRequests } from "../model/model-requests.ts";
import { hashOf } from "../model/route.ts";
import type { SessionLog } from "../store/session-log.ts";
import { RequestsPicture } from "./requests-picture.tsx";
import { TimelinePicture } from "./timeline-picture.tsx";
import { UsagePicture } from "./usage-picture.tsx";

/** Where the time went and what it used. All of the session is read for it. */
export function PicturesView({ log }: { log: SessionLog }) {
  useObservable(log);
  useNow(log.isWorking ? 1_000 : 60_000);
  useEffect(() => {
    let isGone = false;
    if (log.state === "live") void log.loadAll(() => !isGone);
    return () => {
      isGone = true;
    };
  }, [log.state === "live"]);
  const turns = [...log.fold.turns.values()];
  const entries = log.fold.entries.all();
  return (
    <div class="pictures">
      <div class="page">
        <OlderNote log={log} />
        {!log.hasAll && !log.isFull && log.olderFailure === "" && (
          <p class="note" role="status">
            Reading the session, {log.events.length} events so far …
          </p>
        )}
        {turns.length === 0 && log.hasAll && (
          <div class="empty">
            <h2>Nothing to draw yet</h2>
            <p>There is something to see once a turn has begun.</p>
            <a href={hashOf({ page: "session", sessionId: log.sessionId, view: "chat" })}>Write the first message</a>
          </div>
        )}
        {turns.length > 0 && <TimelinePicture turns={turns} entries={entries} sessionId={log.sessionId} />}
        {turns.length > 0 && <UsagePicture fold={log.fold} />}
        <RequestsPicture
          requests={modelRequests(log.events)}
          turnIds={turns.map(({ turnId }) => turnId)}
          spentUsd={log.session?.wire?.listUsd ?? 0}
          budgetUsd={log.session?.limits?.budgetUsd}
        />
      </div>
    </div>
  );
}
