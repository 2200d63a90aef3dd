import { type HandleSteps, planAnswer, type StepToolCall, type ToolInput } from "@muster/codebuff-protocol";
import { hidden } from "./calls.ts";
import { textSince } from "./messages.ts";

/**
 * Plans until a step ends with a `<PLAN>`, then asks. Approved, the same run carries it out; with feedback it plans again;
 * rejected or skipped, the turn is over.
 */
export const planSteps: HandleSteps = function* ({ agentState }) {
  let seen = agentState.messageHistory.length;
  for (;;) {
    const reply = yield "STEP";
    if (!reply.stepsComplete) continue;
    const plan = planIn(textSince(reply, seen));
    if (plan === undefined) return;
    const asked = yield { ...hidden("ask_user", question), plan: { text: plan } };
    seen = asked.agentState.messageHistory.length;
    const answer = planAnswer(asked.toolResult ?? []);
    if (answer === undefined || (answer.decision === "reject" && !answer.message?.trim())) return;
    if (answer.decision === "reject") {
      yield tell(
        `The plan is not approved yet: ${answer.message}\n\nPlan again, and end with the whole plan in a <PLAN> element.`,
      );
      continue;
    }
    const edited = answer.plan !== undefined && answer.plan.trim() !== plan;
    const note = answer.message?.trim() ? `\n\n${answer.message}` : "";
    const text = edited ? ` It was changed:\n\n<PLAN>\n${answer.plan}\n</PLAN>` : "";
    yield tell(`The plan is approved. Writing is possible now: carry it out.${text}${note}`);
    yield "STEP_ALL";
    return;
  }
};

const question: ToolInput<"ask_user"> = {
  questions: [
    {
      question: "Carry out this plan?",
      header: "Plan",
      multiSelect: false,
      options: [
        { label: "approve", description: "Carry it out" },
        { label: "approve_edits", description: "Carry it out and let edits pass without asking" },
        { label: "reject", description: "Do not; say what should be different" },
      ],
    },
  ],
};

function planIn(text: string): string | undefined {
  return /<PLAN>([\s\S]*)<\/PLAN>\s*$/.exec(text)?.[1]?.trim();
}

function tell(content: string): StepToolCall {
  return hidden("add_message", { role: "user", content });
}
