import { Icon, SafeText } from "@muster/web-parts";
import type { RequestEntry } from "../model/entries.ts";

/** A request in the conversation: what was asked, and what came of it. */
export function AnsweredRequest({ entry }: { entry: RequestEntry }) {
  const { event, resolved } = entry;
  const asked =
    event.type === "permission.requested"
      ? event.data.title
      : event.data.questions.map(({ question }) => question).join(" · ");
  return (
    <p class={`request ${resolved === undefined ? "open" : ""}`}>
      <Icon name="person" />
      <span>
        <SafeText text={asked} code />
      </span>
      <strong>
        <SafeText text={answerOf(entry)} />
      </strong>
    </p>
  );
}

function answerOf({ resolved }: RequestEntry): string {
  if (resolved === undefined) return "waits for an answer";
  if (resolved.type === "permission.resolved") {
    const { decision, by, scope, message } = resolved.data;
    const words =
      decision === "allow"
        ? scope === "session"
          ? "always allowed"
          : "allowed"
        : `${decision}ed`.replace(/eded$/, "ed");
    return [words, by === "user" ? "" : `by ${by}`, message && `“${message}”`].filter(Boolean).join(" ");
  }
  const { status, answers, message } = resolved.data;
  const said = answers?.map((one) => one.join(", ")).join(" · ");
  return said || message || status;
}
