import type { Rewound, SessionChanges } from "@muster/schema";
import { useState } from "preact/hooks";
import { hashOf } from "../model/route.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import { ChangedFiles } from "./changed-files.tsx";

interface Props {
  sessionId: string;
  /** 0 is the beginning. */
  turn: number;
  isBusy: boolean;
  /** The session was rewound to before it. */
  isGone: boolean;
}

/** One turn: what it changed, the rewind to its end, shown before it is done, and the fork from there. */
export function TurnRow({ sessionId, turn, isBusy, isGone }: Props) {
  const { client } = usePage().daemon;
  const { problem, attempt } = useAttempt();
  const [changes, setChanges] = useState<SessionChanges>();
  const [preview, setPreview] = useState<Rewound>();
  const show = () =>
    attempt(async () =>
      setChanges(await client.sessions.changes({ sessionId, from: Math.max(0, turn - 1), to: turn })),
    );
  const ask = () =>
    attempt(async () => setPreview(await client.sessions.rewind({ sessionId, to: turn, preview: true })));
  const rewind = () =>
    attempt(async () => {
      await client.sessions.rewind({ sessionId, to: turn });
      setPreview(undefined);
    });
  const fork = () =>
    attempt(async () => {
      const { sessions } = await client.sessions.fork({ sourceId: sessionId, at: turn });
      const made = sessions[0]?.session.sessionId;
      if (made !== undefined) location.hash = hashOf({ page: "session", sessionId: made, view: "chat" });
    });
  return (
    <li class={isGone ? "rewound" : ""}>
      <p class="turn-actions">
        <strong>{turn === 0 ? "The beginning" : `Turn ${turn}`}</strong>
        {isGone && <span class="tag">rewound</span>}
        <span class="gap" />
        {turn > 0 && (
          <button type="button" onClick={show}>
            What it changed
          </button>
        )}
        {!isGone && (
          <>
            <button type="button" disabled={isBusy} onClick={ask}>
              Rewind to here
            </button>
            <button type="button" onClick={fork}>
              Fork from here
            </button>
          </>
        )}
      </p>
      <ProblemNote problem={problem} />
      {preview !== undefined && (
        <section class="note" aria-label={`Rewind to turn ${turn}`}>
          <p>
            {preview.turns.length} turns go, {preview.changes.length} files change
            {preview.filesSkipped !== undefined && `; files stay: ${preview.filesSkipped}`}
          </p>
          <ul>
            {preview.changes.map(({ path, change }) => (
              <li>
                <code>{path}</code> {change}
              </li>
            ))}
            {preview.conflicts.map(({ path }) => (
              <li class="failed">
                <code>{path}</code> was changed by somebody else
              </li>
            ))}
          </ul>
          <button type="button" class="primary" disabled={preview.conflicts.length > 0} onClick={rewind}>
            Rewind
          </button>
          <button type="button" onClick={() => setPreview(undefined)}>
            Leave it
          </button>
        </section>
      )}
      {changes !== undefined && <ChangedFiles changes={changes} />}
    </li>
  );
}
