import type { Command } from "../../commands.ts";
import { planDecision } from "../../converter/plan-approval.ts";
import type { HeardLine } from "../wire/native.ts";
import type { Asked } from "../wire/state.ts";

type QuestionCommand = Extract<Command, { type: "question" }>;
type PermissionCommand = Extract<Command, { type: "permission" }>;

/** Always for this once: what `always` means is the engine's business. */
export function permissionAnswer({ requestKey, decision, message }: PermissionCommand): HeardLine {
  return answer(requestKey, { decision: decision === "allow" ? "once" : "deny", message });
}

export function questionAnswer(command: QuestionCommand, asked: Asked | undefined): HeardLine {
  const { requestKey, answers, message } = command;
  if (asked?.about === "plan") return answer(requestKey, planAnswer(command));
  if (answers === undefined) return answer(requestKey, { skipped: true, message });
  const questions = asked?.about === "question" ? asked.questions : [];
  return answer(requestKey, {
    answers: answers.map((values, questionIndex) => ({
      questionIndex,
      ...choiceOf(
        values,
        questions[questionIndex]?.options?.map(({ label }) => label),
      ),
    })),
  });
}

/** Labels are choices, everything else is somebody's own words; without options all of it is taken as chosen. */
function choiceOf(values: readonly string[], labels: readonly string[] | undefined): Record<string, unknown> {
  const options = labels === undefined ? values : values.filter((value) => labels.includes(value));
  const words = labels === undefined ? [] : values.filter((value) => !labels.includes(value));
  const otherText = words.length > 0 ? words.join("\n") : undefined;
  if (options.length === 1) return { selectedOption: options[0], otherText };
  return options.length === 0 && words.length > 0 ? { otherText } : { selectedOptions: [...options], otherText };
}

function planAnswer(command: QuestionCommand): Record<string, unknown> {
  const decision = planDecision(command);
  if (!("feedback" in decision)) return { decision: decision.choice, plan: command.editedText };
  const { choice, feedback: message } = decision;
  return choice === undefined ? { skipped: true, message } : { decision: choice, message };
}

function answer(toolCallId: string, value: Record<string, unknown>): HeardLine {
  return { type: "tool_result", toolCallId, output: [{ type: "json", value }] };
}
