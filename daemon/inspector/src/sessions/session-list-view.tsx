import type { Session } from "@muster/schema";
import { Icon, useNow, useObservable } from "@muster/web-parts";
import { age, dollars } from "@muster/web-parts/model";
import { useState } from "preact/hooks";
import { hashOf } from "../model/route.ts";
import { StatePill } from "../parts/state-pill.tsx";
import { usePage } from "../store/page.tsx";

/** Every session; those that wait for a person first. */
export function SessionListView({ current }: { current?: string }) {
  const { list } = usePage();
  useObservable(list);
  const now = useNow(30_000);
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const shown = list.sessions
    .filter((session) => wanted === "" || wordsOf(session).includes(wanted))
    .sort((one, other) => Math.sign(other.pendingRequests) - Math.sign(one.pendingRequests));
  return (
    <section class="sessions" aria-label="Sessions">
      <div class="sessions-bar">
        <input
          type="search"
          aria-label="Find a session"
          placeholder="Find a session"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <a class="button primary" href={hashOf({ page: "new" })}>
          <Icon name="add" /> New
        </a>
      </div>
      <p class="sessions-state" role="status">
        {list.failure || (list.state === "reconnecting" ? "reconnecting …" : waitingWords(list.waiting))}
      </p>
      {list.sessions.length === 0 && list.state === "live" && (
        <p class="empty">No sessions yet. Create the first one.</p>
      )}
      <ul>
        {shown.map((session) => (
          <li key={session.sessionId}>
            <a
              class="session"
              href={hashOf({ page: "session", sessionId: session.sessionId, view: "chat" })}
              aria-current={session.sessionId === current ? "page" : undefined}
            >
              <span class="session-name">{session.title || session.sessionId}</span>
              <span class="session-age">{age(session.updatedAt, now)}</span>
              <span class="session-facts">
                <StatePill session={session} />
                <span>{session.agent}</span>
                {session.model && <span class="ellipsis">{session.model}</span>}
                {session.costUsd > 0 && <span>{dollars(session.costUsd)}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <button type="button" class="more" onClick={() => void list.more()}>
          Older sessions
        </button>
      )}
    </section>
  );
}

function waitingWords(waiting: number): string {
  if (waiting === 0) return "";
  return waiting === 1 ? "1 session waits for you" : `${waiting} sessions wait for you`;
}

function wordsOf({ sessionId, title, agent, model, directory, state }: Session): string {
  return [sessionId, title, agent, model, directory, state].join(" ").toLowerCase();
}
