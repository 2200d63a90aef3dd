import type { UniversalEvent } from "@muster/schema";
import { Code, CopyButton, Icon } from "@muster/web-parts";
import { useState } from "preact/hooks";
import { hashOf } from "../model/route.ts";
import { readingSnippets } from "../model/snippets.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAttempt } from "../parts/use-attempt.ts";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { entryKeyOf } from "./entry-of-event.ts";

/** One event whole, with the agent's own message behind it, and how to get it by hand. */
export function EventDetail({ log, event }: { log: SessionLog; event: UniversalEvent }) {
  const { daemon } = usePage();
  const { problem, attempt } = useAttempt();
  const [raw, setRaw] = useState<{ value: unknown }>();
  const { sessionId, sequence } = event;
  const entry = entryKeyOf(event, log.fold);
  const snippets = readingSnippets(daemon.endpoint, sessionId, sequence);
  const loadRaw = () =>
    attempt(async () => {
      const page = await daemon.client.sessions.getEvents({ sessionId, offset: sequence - 1, limit: 1, raw: true });
      setRaw({ value: page.events[0]?.raw ?? null });
    });
  return (
    <aside class="detail" aria-label={`Event ${sequence}`}>
      <div class="detail-bar">
        <strong>
          {sequence} {event.type}
        </strong>
        <span class="gap" />
        {entry !== undefined && (
          <a class="button" href={hashOf({ page: "session", sessionId, view: "chat", at: entry })}>
            <Icon name="chat" /> In the chat
          </a>
        )}
        <a class="button quiet" href={hashOf({ page: "session", sessionId, view: "events" })} aria-label="Close">
          <Icon name="close" />
        </a>
      </div>
      <Code text={jsonOf(event)} language="json" />
      {raw === undefined ? (
        <button type="button" onClick={loadRaw}>
          The agent's own message
        </button>
      ) : raw.value === null ? (
        <p class="faint">No message of the agent is kept for this event</p>
      ) : (
        <Code text={jsonOf(raw.value)} language="json" />
      )}
      <ProblemNote problem={problem} />
      <div class="buttons">
        {Object.entries(snippets).map(([name, text]) => (
          <CopyButton text={text} label={`Copy as ${name}`}>
            {name}
          </CopyButton>
        ))}
      </div>
    </aside>
  );
}

const longest = 100_000;

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? "";
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text;
}
