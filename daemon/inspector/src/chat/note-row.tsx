import { SafeText } from "@muster/web-parts";
import { dollars } from "@muster/web-parts/model";
import { causeWords } from "../model/cause-words.ts";
import type { NoteEntry } from "../model/entries.ts";
import { pageWords } from "../model/problem.ts";

const settingWords = {
  title: "name",
  model: "model",
  variant: "variant",
  agentMode: "mode",
  permissionMode: "permissions",
} as const;

/** What happened beside the conversation: lives of the agent, settings, failures. What stands below it is not told twice. */
export function NoteRow({ event, toldBelow }: { event: NoteEntry["event"]; toldBelow?: string }) {
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
      const data: Readonly<Record<string, unknown>> = event.data;
      const changes = Object.entries(settingWords).flatMap(([field, words]) =>
        data[field] === undefined || typeof data[field] === "object" ? [] : [`${words}: ${String(data[field])}`],
      );
      return <p class="note">{changes.join(" · ")}</p>;
    }
    case "session.ended": {
      const { reason, terminatedBy, message, stderr, exitCode, signal } = event.data;
      const how = [exitCode !== undefined && `exit ${exitCode}`, signal].filter(Boolean).join(" ");
      return (
        <div class={`note ${reason === "error" ? "failed" : ""}`}>
          <strong>{reason === "error" ? "The agent has failed" : "The agent has ended"}</strong> ({terminatedBy}
          {how && `, ${how}`}) {message && message !== toldBelow && <SafeText text={pageWords(message)} />}
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
          <strong>{causeWords(event.data.code)}</strong>{" "}
          {event.data.message === toldBelow ? "(see below)" : <SafeText text={pageWords(event.data.message)} />}
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
    case "session.rewound": {
      const { toTurn, undone, turns, files, chat } = event.data;
      const what = chat ? (files ? "The conversation and the files were" : "The conversation was") : "The files were";
      const place = toTurn === 0 ? "the beginning" : `the end of turn ${toTurn}`;
      const gone = turns.length === 0 ? "" : ` (${turns.length} ${turns.length === 1 ? "turn" : "turns"})`;
      return <p class="note">{undone ? `A rewind was taken back${gone}` : `${what} rewound to ${place}${gone}`}</p>;
    }
    case "session.forked":
      return (
        <p class="note">
          Here the session goes on by itself, from turn {event.data.at} of {event.data.from}
        </p>
      );
    case "agent.changed":
      return (
        <p class="note">
          {event.data.to} goes on in the place of {event.data.from}
          {event.data.how === "digest" && ", with a summary of what was said"}
          {event.data.notCarried.length > 0 && `; without ${event.data.notCarried.join(", ")}`}
        </p>
      );
    case "budget.warned":
      return (
        <p class="note">
          {dollars(event.data.spentUsd)} of the budget of {dollars(event.data.budgetUsd)} are spent
        </p>
      );
    case "snapshot.skipped":
      return <p class="note">No snapshot of the files: {event.data.detail}</p>;
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
