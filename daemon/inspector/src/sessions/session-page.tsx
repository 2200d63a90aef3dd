import { useObservable } from "@muster/web-parts";
import { useEffect, useState } from "preact/hooks";
import { ChangesView } from "../changes/changes-view.tsx";
import { ChatView } from "../chat/chat-view.tsx";
import { EventsView } from "../events/events-view.tsx";
import { FilesView } from "../files/files-view.tsx";
import { hashOf, type Route, sessionViews } from "../model/route.ts";
import { PicturesView } from "../pictures/pictures-view.tsx";
import { usePage } from "../store/page.tsx";
import { SessionLog } from "../store/session-log.ts";
import { TimelineView } from "../time-machine/timeline-view.tsx";
import { SessionHead } from "./session-head.tsx";

const names = {
  chat: "Chat",
  changes: "Changes",
  timeline: "Timeline",
  files: "Files",
  events: "Events",
  pictures: "Charts",
} as const;

/** One session, seen in one of its views. */
export function SessionPage({ route }: { route: Extract<Route, { page: "session" }> }) {
  const { daemon } = usePage();
  const { sessionId, view, at } = route;
  const [log, setLog] = useState<SessionLog>();
  useEffect(() => {
    const opened = new SessionLog(daemon, sessionId);
    setLog(opened);
    return () => opened.close();
  }, [sessionId]);
  useObservable(log);
  if (log === undefined || log.sessionId !== sessionId) return <main class="main" id="main" tabIndex={-1} />;
  return (
    <main class="main" id="main" tabIndex={-1}>
      <SessionHead log={log} />
      <nav class="tabs" aria-label="Ways to see this session">
        {sessionViews.map((name) => (
          <a
            href={hashOf({ page: "session", sessionId, view: name })}
            aria-current={name === view ? "page" : undefined}
          >
            {names[name]}
          </a>
        ))}
        <span class="gap" />
        <Connection log={log} />
      </nav>
      {log.state === "failed" ? (
        <div class="empty" role="alert">
          <h2>This session cannot be shown</h2>
          <p>{log.failure}</p>
          <a href="#/">All sessions</a>
        </div>
      ) : view === "chat" ? (
        <ChatView log={log} at={at} />
      ) : view === "changes" ? (
        <ChangesView log={log} />
      ) : view === "files" ? (
        <FilesView log={log} at={at} />
      ) : view === "timeline" ? (
        <TimelineView log={log} />
      ) : view === "events" ? (
        <EventsView log={log} at={at} />
      ) : (
        <PicturesView log={log} />
      )}
    </main>
  );
}

function Connection({ log }: { log: SessionLog }) {
  const words = { opening: "opening", live: "live", reconnecting: "reconnecting …", failed: "not connected" }[
    log.state
  ];
  return (
    <span class={`connection ${log.state}`} role="status">
      {words}
    </span>
  );
}
