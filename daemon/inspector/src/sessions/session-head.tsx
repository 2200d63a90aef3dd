import { Confirm, Icon } from "@muster/web-parts";
import { count, dollars } from "@muster/web-parts/model";
import { useState } from "preact/hooks";
import { BackLink } from "../parts/page-head.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { StatePill } from "../parts/state-pill.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { SettingsDialog } from "../settings/settings-dialog.tsx";
import { go, usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";

/** What the session is, and what can be done to it as a whole. */
export function SessionHead({ log }: { log: SessionLog }) {
  const { daemon, list } = usePage();
  const { problem, attempt } = useAttempt();
  const [asked, ask] = useState<"settings" | "terminate" | "delete">();
  const { session, sessionId } = log;
  const { sessions } = daemon.client;
  const remove = async () => {
    ask(undefined);
    if (!(await attempt(() => sessions.delete({ sessionId })))) return;
    list.soon();
    go({ page: "sessions" });
  };
  const terminate = () => {
    ask(undefined);
    return attempt(() => sessions.terminate({ sessionId }));
  };
  return (
    <header class="head">
      <BackLink />
      <div class="about">
        <h1>{session?.name || sessionId}</h1>
        {session && (
          <p class="facts">
            <StatePill session={session} />
            <span>{[session.agent, session.agentVersion].filter(Boolean).join(" ")}</span>
            {session.model && <span>{[session.model, session.variant].filter(Boolean).join(" · ")}</span>}
            <span>
              {dollars(session.wire?.listUsd ?? session.costUsd)}
              {session.limits?.budgetUsd !== undefined && ` of ${dollars(session.limits.budgetUsd)}`}
            </span>
            <span class="wide">{count(session.usage.inputTokens + session.usage.outputTokens)} tokens</span>
            <code class="wide" title={session.directory}>
              {session.directory}
            </code>
          </p>
        )}
        <ProblemNote problem={problem} />
      </div>
      {session && (
        <div class="session-acts">
          <button type="button" class="quiet" title="Settings and name" onClick={() => ask("settings")}>
            <Icon name="settings" /> Settings
          </button>
          <button
            type="button"
            class="quiet"
            title="End the agent's process; the session stays"
            onClick={() => ask("terminate")}
          >
            <Icon name="stop" /> End agent
          </button>
          <button type="button" class="quiet" title="Delete the session" onClick={() => ask("delete")}>
            <Icon name="bin" /> Delete
          </button>
        </div>
      )}
      {asked === "settings" && session && <SettingsDialog session={session} onClose={() => ask(undefined)} />}
      {asked === "terminate" && (
        <Confirm
          title="End the agent?"
          text="Its process is ended and queued messages are cancelled. The session stays; a later message starts it again."
          action="End it"
          onYes={terminate}
          onClose={() => ask(undefined)}
        />
      )}
      {asked === "delete" && (
        <Confirm
          title="Delete this session?"
          text="Its log is removed for good. What the agent did to files stays as it is."
          action="Delete"
          onYes={remove}
          onClose={() => ask(undefined)}
        />
      )}
    </header>
  );
}
