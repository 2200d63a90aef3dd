import type { QuestionRequested } from "@muster/schema";
import { Markdown, SafeText, ScrollRegion } from "@muster/web-parts";
import { useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { useAnswer } from "./use-answer.ts";

/** A plan to approve, to approve with changes of one's own, or to send back with words. */
export function PlanForm({ log, request, onLate }: { log: SessionLog; request: QuestionRequested; onLate(): void }) {
  const { questionId, questions, allowedPrompts = [] } = request;
  const { sessionId } = log;
  const [question] = questions;
  const plan = question?.body ?? "";
  const [edited, setEdited] = useState<string>();
  const [feedback, setFeedback] = useState("");
  const { answer, isBusy, problem } = useAnswer(onLate);
  const offers = (id: string) => question?.options.some((option) => option.id === id) ?? false;
  const reply = (choice: string) =>
    answer((sessions) =>
      sessions.replyQuestion({
        sessionId,
        questionId,
        answers: [[choice]],
        ...(edited !== undefined && edited !== plan && choice !== "reject" ? { editedText: edited } : {}),
      }),
    );
  const sendBack = () =>
    feedback.trim() === ""
      ? reply("reject")
      : answer((sessions) => sessions.replyQuestion({ sessionId, questionId, answers: [[feedback.trim()]] }));
  return (
    <>
      <h2>{<SafeText text={question?.question ?? "A plan to approve"} />}</h2>
      {edited === undefined ? (
        <ScrollRegion class="plan-text" label="The plan">
          <Markdown text={plan} />
        </ScrollRegion>
      ) : (
        <textarea
          class="plan-text"
          aria-label="The plan, to edit"
          rows={12}
          value={edited}
          onInput={(event) => setEdited(event.currentTarget.value)}
        />
      )}
      {allowedPrompts.length > 0 && (
        <p class="faint">
          With it the agent may: <SafeText text={allowedPrompts.map(({ prompt }) => prompt).join(", ")} />
        </p>
      )}
      <div class="buttons">
        <button type="button" class="primary" disabled={isBusy} onClick={() => reply("approve")}>
          Approve
        </button>
        {offers("approve_edits") && (
          <button type="button" disabled={isBusy} onClick={() => reply("approve_edits")}>
            Approve, and let edits pass
          </button>
        )}
        {edited === undefined && (
          <button type="button" disabled={isBusy} onClick={() => setEdited(plan)}>
            Edit the plan
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={sendBack}>
          Send back
        </button>
        <input
          class="grow"
          aria-label="What to change"
          placeholder="What to change"
          value={feedback}
          onInput={(event) => setFeedback(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && sendBack()}
        />
      </div>
      <ProblemNote problem={problem} />
    </>
  );
}
