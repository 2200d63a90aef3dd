import { Icon, useNow, useObservable } from "@muster/web-parts";
import { age, dollars } from "@muster/web-parts/model";
import { hashOf } from "../model/route.ts";
import { StatePill } from "../parts/state-pill.tsx";
import { usePage } from "../store/page.tsx";
import type { SessionList } from "../store/session-list.ts";
import { SessionFilter } from "./session-filter.tsx";

/** The sessions; those that wait for a person first, then the last used. */
export function SessionListView({ current }: { current?: string }) {
  const { list } = usePage();
  useObservable(list);
  const now = useNow(30_000);
  return (
    <section class="sessions" aria-label="Sessions">
      <div class="sessions-bar">
        <input
          type="search"
          aria-label="Find a session"
          placeholder="Find a session"
          value={list.wanted.search ?? ""}
          onInput={({ currentTarget: { value } }) => list.want({ search: value.trim() === "" ? undefined : value })}
        />
        <a class="button primary" href={hashOf({ page: "new" })}>
          <Icon name="add" /> New
        </a>
      </div>
      <SessionFilter list={list} />
      <p class="sessions-state" role="status">
        {list.failure || (list.state === "reconnecting" ? "reconnecting …" : waitingWords(list.waiting))}
      </p>
      {list.sessions.length === 0 && list.state === "live" && <Nothing list={list} />}
      <ul>
        {list.sessions.map((session) => (
          <li key={session.sessionId}>
            <a
              class="session"
              href={hashOf({ page: "session", sessionId: session.sessionId, view: "chat" })}
              aria-current={session.sessionId === current ? "page" : undefined}
            >
              <span class="session-name">{session.name || session.sessionId}</span>
              <span class="session-age">{age(session.lastUsedAt, now)}</span>
              <span class="session-facts">
                <StatePill session={session} />
                <span>{session.agent}</span>
                <span class="ellipsis" title={session.directory}>
                  {lastFolder(session.directory)}
                </span>
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

function lastFolder(directory: string): string {
  return directory.split("/").filter(Boolean).at(-1) ?? directory;
}

/** Why the list is empty, and what to do next. */
function Nothing({ list }: { list: SessionList }) {
  if (!list.isFiltered) {
    return (
      <div class="empty">
        <p>No sessions yet.</p>
        <a href={hashOf({ page: "new" })}>Create the first one</a>
      </div>
    );
  }
  const none = { search: undefined, state: undefined, agent: undefined, directory: undefined };
  return (
    <div class="empty" role="status">
      <p>Nothing found{list.shown.search && ` for “${list.shown.search}”`}.</p>
      <button type="button" onClick={() => list.want(none)}>
        Show all sessions
      </button>
    </div>
  );
}
