import { SafeText } from "@muster/web-parts";
import { dollars } from "@muster/web-parts/model";
import type { NoteEntry } from "../model/entries.ts";

/** What happened beside the conversation: lives of the agent, settings, failures. */
export function NoteRow({ event }: { event: NoteEntry["event"] }) {
  switch (event.type) {
    case "session.started": {
      const { agent, agentVersion, model, directory, resumed, contextLost } = event.data;
      return (
        <p class="note">
          <strong>
            {agent} {agentVersion}
          </strong>{" "}
          {resumed ? "started again" : "started"} {model && `with ${model} `}in <code>{directory}</code>
          {contextLost && " — it does not remember what was said before"}
        </p>
      );
    }
    case "session.updated": {
      const changes = Object.entries(event.data).filter(([, value]) => typeof value !== "object");
      return <p class="note">{changes.map(([name, value]) => `${name}: ${value}`).join(" · ")}</p>;
    }
    case "session.ended": {
      const { reason, terminatedBy, message, stderr, exitCode, signal } = event.data;
      const how = [exitCode !== undefined && `exit ${exitCode}`, signal].filter(Boolean).join(" ");
      return (
        <div class={`note ${reason === "error" ? "failed" : ""}`}>
          <strong>{reason === "error" ? "The agent has failed" : "The agent has ended"}</strong> ({terminatedBy}
          {how && `, ${how}`}) {message && <SafeText text={message} />}
          {stderr && (
            <pre class="plain">
              <SafeText text={stderr.tail || stderr.head} code />
            </pre>
          )}
        </div>
      );
    }
    case "error":
      return (
        <p class="note failed" role="alert">
          <strong>{event.data.code}</strong> <SafeText text={event.data.message} />
          {event.data.retryable && " — it is tried again"}
        </p>
      );
    case "agent.unparsed":
      return (
        <details class="note failed">
          <summary>A line of the agent that nobody understands: {event.data.error}</summary>
          <pre class="plain">
            <SafeText text={textOf(event.data.raw)} code />
          </pre>
        </details>
      );
    case "budget.warned":
      return (
        <p class="note">
          {dollars(event.data.spentUsd)} of the budget of {dollars(event.data.budgetUsd)} are spent
        </p>
      );
    case "log.damaged":
      return (
        <p class="note failed">
          Events {event.data.from} to {event.data.to} cannot be read any more
        </p>
      );
  }
}

function textOf(raw: unknown): string {
  const text = typeof raw === "string" ? raw : (JSON.stringify(raw, null, 2) ?? "");
  return text.length > 10_000 ? `${text.slice(0, 10_000)}…` : text;
}
