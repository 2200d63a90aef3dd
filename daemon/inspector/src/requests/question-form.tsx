import type { Question, QuestionRequested } from "@muster/schema";
import { Markdown, SafeText } from "@muster/web-parts";
import { useState } from "preact/hooks";
import { ProblemNote } from "../parts/problem-note.tsx";
import { usePage } from "../store/page.tsx";
import type { SessionLog } from "../store/session-log.ts";
import { useAnswer } from "./use-answer.ts";

/** Questions with their options; a single choice is sent by one click. */
export function QuestionForm({
  log,
  request,
  onLate,
}: {
  log: SessionLog;
  request: QuestionRequested;
  onLate(): void;
}) {
  const { questionId, questions } = request;
  const { sessionId } = log;
  const { daemon } = usePage();
  const [chosen, setChosen] = useState<readonly (readonly string[])[]>(questions.map(() => []));
  const [own, setOwn] = useState<readonly string[]>(questions.map(() => ""));
  const { answer, isBusy, problem } = useAnswer(onLate);
  const isOneClick = questions.length === 1 && questions[0]?.multiSelect === false && questions[0].options.length > 0;
  const reply = (answers: string[][]) => {
    for (const [at, given] of answers.entries()) if (questions[at]?.secret) daemon.hide(...given);
    return answer((sessions) => sessions.replyQuestion({ sessionId, questionId, answers }));
  };
  const answersOf = (picked: readonly (readonly string[])[]) =>
    questions.map((_, at) => [...(picked[at] ?? []), ...[own[at]?.trim() ?? ""].filter(Boolean)]);
  const choose = (at: number, id: string) => {
    const question = questions[at] as Question;
    const before = chosen[at] ?? [];
    const after = before.includes(id)
      ? before.filter((other) => other !== id)
      : question.multiSelect
        ? [...before, id]
        : [id];
    if (isOneClick) return void reply([[id]]);
    setChosen(chosen.with(at, after));
  };
  const isAnswered = answersOf(chosen).every((one) => one.length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void reply(answersOf(chosen));
      }}
    >
      {questions.map((question, at) => (
        <fieldset>
          <legend>
            {question.header && <span class="tag">{<SafeText text={question.header} />}</span>}{" "}
            <SafeText text={question.question} />
          </legend>
          {question.body && <Markdown text={question.body} />}
          <div class="options">
            {question.options.map(({ id, label, description }) => (
              <button
                type="button"
                class="option"
                disabled={isBusy}
                aria-pressed={isOneClick ? undefined : (chosen[at]?.includes(id) ?? false)}
                onClick={() => choose(at, id)}
              >
                <strong>
                  <SafeText text={label} />
                </strong>
                {description && (
                  <span>
                    <SafeText text={description} />
                  </span>
                )}
              </button>
            ))}
          </div>
          {(question.allowCustom || question.options.length === 0) && (
            <input
              type={question.secret ? "password" : question.type === "number" ? "number" : "text"}
              aria-label="Your own answer"
              placeholder="Your own answer"
              value={own[at]}
              onInput={(event) => setOwn(own.with(at, event.currentTarget.value))}
            />
          )}
        </fieldset>
      ))}
      <div class="buttons">
        <button type="submit" class="primary" disabled={isBusy || !isAnswered}>
          Answer
        </button>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => answer((sessions) => sessions.rejectQuestion({ sessionId, questionId }))}
        >
          Decline
        </button>
      </div>
      <ProblemNote problem={problem} />
    </form>
  );
}
