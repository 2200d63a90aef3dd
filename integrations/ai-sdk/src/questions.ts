import type { HarnessV1QuestionsToolInput, HarnessV1StreamPart } from "@ai-sdk/harness";
import type { QuestionRequested } from "@muster/client";

/** A question or a plan that waits for approval, as the call that the framework's caller answers. */
export function questionCall({ questionId, questions }: QuestionRequested): HarnessV1StreamPart {
  const input: HarnessV1QuestionsToolInput = {
    allowPartialAnswers: false,
    questions: questions.map(({ id, header, question, body, options, multiSelect, allowCustom, secret }) => ({
      id,
      question: body === undefined ? question : `${question}\n\n${body}`,
      ...(header !== undefined && { header }),
      ...(options.length > 0 && { options }),
      allowMultiple: multiSelect,
      allowFreeForm: allowCustom && secret === true ? { secret } : allowCustom || options.length === 0,
    })),
  };
  return { type: "tool-call", toolCallId: questionId, toolName: "askUserQuestions", input: JSON.stringify(input) };
}
