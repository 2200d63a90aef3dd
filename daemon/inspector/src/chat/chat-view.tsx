import { useObservable, WindowedList } from "@muster/web-parts";
import { useEffect } from "preact/hooks";
import { RequestDock } from "../requests/request-dock.tsx";
import { SessionTrouble } from "../settings/session-trouble.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { LogContext } from "./attached.tsx";
import { ChatRow } from "./chat-row.tsx";
import { Composer } from "./composer.tsx";
import { OlderNote } from "./older-note.tsx";
import { PlanList } from "./plan-list.tsx";
import { QueueList } from "./queue-list.tsx";

/** The conversation, and below it what can be said and answered. */
export function ChatView({ log, at }: { log: SessionLog; at?: string }) {
  useObservable(log);
  const rows = log.fold.entries.rows();
  const keys = rows.map(({ entry }) => entry.key);
  useEffect(() => {
    const isThere = () => at === undefined || log.fold.entries.get(at) !== undefined;
    if (!isThere()) void log.loadAll(() => !isThere());
  }, [at]);
  return (
    <LogContext.Provider value={log}>
      <div class="chat">
        {keys.length === 0 && log.state !== "opening" && <Welcome log={log} />}
        <OlderNote log={log} />
        <WindowedList
          label="Conversation"
          keys={keys}
          estimate={72}
          followsEnd
          at={at}
          onTop={() => void log.loadOlder()}
          draw={(index) => {
            const row = rows[index];
            return row && <ChatRow {...row} sessionId={log.sessionId} toldBelow={log.session?.error?.message} />;
          }}
        />
        <div class="foot">
          <div class="column">
            <Working log={log} />
            {log.session && <SessionTrouble session={log.session} />}
            <PlanList entries={log.fold.plan} />
            <RequestDock log={log} />
            <QueueList log={log} />
            <Composer log={log} />
          </div>
        </div>
      </div>
    </LogContext.Provider>
  );
}

function Welcome({ log }: { log: SessionLog }) {
  return (
    <div class="empty">
      <h2>Nothing has been said yet</h2>
      <p>
        {log.session?.agent === "mock"
          ? "The mock agent obeys words such as demo, question, permission, plan. Say help for all of them."
          : "Tell the agent what to do. It asks before it changes anything, unless its permission mode says otherwise."}
      </p>
    </div>
  );
}

function Working({ log }: { log: SessionLog }) {
  const isWorking = log.isWorking && log.pending().length === 0;
  return (
    <div class="working" role="status">
      {log.isLoading ? "Reading what came before …" : isWorking ? <span class="dots">Working</span> : ""}
    </div>
  );
}
