import { SafeText } from "@muster/web-parts";
import { count, dollars, duration } from "@muster/web-parts/model";
import { causeWords } from "../model/cause-words.ts";
import type { TurnView } from "../model/session-fold.ts";

const statusWords = { failed: "Failed", interrupted: "Interrupted", uncertain: "How it ended is not known" } as const;

/** How a turn ended, what it took and what it cost. */
export function TurnEnd({ turn: { ended } }: { turn: TurnView }) {
  if (ended === undefined) return null;
  const { status, cause, message, usage, costUsd, durationMs, output, workMayHaveContinued } = ended;
  const facts = [
    duration(durationMs),
    usage && `${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`,
    costUsd !== undefined && dollars(costUsd),
  ].filter(Boolean);
  return (
    <>
      {output !== undefined && <pre class="plain">{JSON.stringify(output, null, 2)}</pre>}
      <p class={`turn-end ${status}`}>
        <span class="words">
          {status === "completed" ? "Done" : cause === "interrupted_by_user" ? "Interrupted" : statusWords[status]}
          {cause && cause !== "interrupted_by_user" && `: ${causeWords(cause)}`}
          {workMayHaveContinued && ", but it may have gone on"}
        </span>
        <span>{facts.join(" · ")}</span>
      </p>
      {message && (
        <p class="note failed">
          <SafeText text={message} />
        </p>
      )}
    </>
  );
}
