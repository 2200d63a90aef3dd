import { Failure, type Question, type QuestionRequested } from "@muster/schema/wire";

/**
 * Checks answers against their questions and brings them to one form: the label of an option (its id for a plan
 * approval, whose ids are part of the contract), or the person's own text where the question allows it.
 */
export function checkAnswers(asked: QuestionRequested, answers: readonly (readonly string[])[]): string[][] {
  if (answers.length > asked.questions.length) {
    throw invalid(`${asked.questions.length} questions were asked, ${answers.length} answers given`);
  }
  return asked.questions.map((question, index) => checkAnswer(asked, question, answers[index] ?? []));
}

function checkAnswer(asked: QuestionRequested, question: Question, answer: readonly string[]): string[] {
  // A question may be left unanswered; a plan waits for a yes or a no.
  if (answer.length === 0 && asked.kind === "plan_approval") throw invalid(`Question ${question.id} has no answer`);
  const isOwnText = (value: string) => !findOption(question, value);
  if (
    !question.multiSelect &&
    answer.length > 1 &&
    !(asked.kind === "plan_approval" && answer.slice(1).every(isOwnText))
  ) {
    throw invalid(`Question ${question.id} takes one answer, ${answer.length} given`);
  }
  return answer.map((value) => {
    const option = findOption(question, value);
    if (option) return asked.kind === "plan_approval" ? option.id : option.label;
    checkOwnText(question, value);
    return value;
  });
}

function findOption(question: Question, value: string) {
  return question.options.find(({ id, label }) => id === value || label === value);
}

function checkOwnText(question: Question, value: string): void {
  if (!question.allowCustom && question.options.length > 0) {
    const labels = question.options.map(({ label }) => label).join(", ");
    throw invalid(`Question ${question.id} takes one of: ${labels}`);
  }
  if (question.type === "number" && !Number.isFinite(Number(value)))
    throw invalid(`Question ${question.id} takes a number`);
  if (question.type === "boolean" && value !== "true" && value !== "false") {
    throw invalid(`Question ${question.id} takes true or false`);
  }
}

function invalid(detail: string): Failure {
  return new Failure("invalid_request", detail);
}
