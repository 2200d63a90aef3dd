import type { Command } from "../../commands.ts";
import { planDecision } from "../../converter/plan-approval.ts";
import type { AnswerLine } from "../wire/native.ts";
import type { Asked } from "../wire/state.ts";

type PermissionCommand = Extract<Command, { type: "permission" }>;
type QuestionCommand = Extract<Command, { type: "question" }>;

/** Claude shows the model these words as the result of the tool, so there must be some. */
export const declined = {
  permission: "The user does not allow this. Do not try it in another way; ask what to do instead.",
  question: "The user does not want to answer.",
  plan: "The user does not approve this plan.",
} as const;

/** A decision in Claude's words. Always for this once: its own suggestions would write settings and change the mode. */
export function permissionAnswer(command: PermissionCommand, asked: Asked | undefined): AnswerLine {
  if (command.decision === "reject") return answer(command.requestKey, deny(command, declined.permission));
  const input = asked?.about === "permission" ? { updatedInput: asked.input } : {};
  return answer(command.requestKey, { behavior: "allow", ...input });
}

export function questionAnswer(command: QuestionCommand, asked: Asked | undefined): AnswerLine {
  const { requestKey, answers } = command;
  if (asked?.about === "elicitation") return answer(requestKey, elicitationAnswer(answers, asked.fields));
  if (asked?.about === "plan") return answer(requestKey, planAnswer(command, asked.input));
  if (answers === undefined) return answer(requestKey, deny(command, declined.question));
  const questions = asked?.about === "question" ? asked.questions.map(({ question }) => question) : [];
  const input = asked?.about === "question" ? asked.input : {};
  const given: Record<string, string> = {};
  const annotations: Record<string, { unanswered: string }> = {};
  for (const [index, values] of answers.entries()) {
    const question = questions[index] ?? `${index + 1}`;
    if (values.length === 0) annotations[question] = { unanswered: "skipped" };
    else given[question] = values.join(", ");
  }
  const skipped = Object.keys(annotations).length > 0 ? annotations : input.annotations;
  return answer(requestKey, { behavior: "allow", updatedInput: { ...input, answers: given, annotations: skipped } });
}

function planAnswer(command: QuestionCommand, input: Record<string, unknown>) {
  const decision = planDecision(command);
  if ("feedback" in decision) return deny({ ...command, message: decision.feedback }, declined.plan);
  const updatedInput = { ...input, plan: command.editedText ?? input.plan };
  if (decision.choice === "approve") return { behavior: "allow", updatedInput };
  const acceptEdits = { type: "setMode", mode: "acceptEdits", destination: "session" };
  return { behavior: "allow", updatedInput, updatedPermissions: [acceptEdits] };
}

function elicitationAnswer(
  answers: QuestionCommand["answers"],
  fields: readonly { name: string; type: string }[],
): Record<string, unknown> {
  if (answers === undefined) return { action: "decline" };
  if (fields.length === 0) return { action: answers[0]?.[0] === "true" ? "accept" : "decline" };
  const values = fields.flatMap(({ name, type }, index) => {
    const [value] = answers[index] ?? [];
    // What was left unanswered is not in the form.
    return value === undefined ? [] : [[name, toType(value, type)]];
  });
  return { action: "accept", content: Object.fromEntries(values) };
}

function toType(value: string, type: string): unknown {
  if (type === "number") return Number(value);
  return type === "boolean" ? value === "true" : value;
}

/** With `interrupt` Claude ends its turn at the no; without, it asks its model what to do about it. */
function deny({ message, stops }: Pick<QuestionCommand, "message" | "stops">, otherwise: string) {
  return { behavior: "deny", message: message ?? otherwise, interrupt: stops };
}

function answer(requestId: string, response: Record<string, unknown>): AnswerLine {
  return { type: "control_response", response: { subtype: "success", request_id: requestId, response } };
}
