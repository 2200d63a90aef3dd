import type { Question } from "@muster/schema";
import type { Command } from "../commands.ts";

/** How every agent's plan is put before a person. */
export function planQuestion(body: string): Question {
  return {
    id: "plan",
    header: "Plan",
    question: "Follow this plan?",
    body,
    type: "string",
    options: [
      { id: "approve", label: "Approve", description: "Edits are asked for one by one" },
      { id: "approve_edits", label: "Approve and accept edits", description: "Edits in the directory pass" },
      { id: "reject", label: "Reject", description: "Go on planning; your words are the feedback" },
    ],
    multiSelect: false,
    allowCustom: true,
  };
}

type PlanDecision =
  | { choice: "approve" | "approve_edits" }
  /** Nothing was chosen where the person declined to answer. */
  | { choice: "reject" | undefined; feedback: string | undefined };

/** What a person said to it: a yes of two kinds, or a no, for which somebody's own words are the feedback. */
export function planDecision({ answers, message }: Extract<Command, { type: "question" }>): PlanDecision {
  const [choice, ...words] = answers?.[0] ?? [];
  if (choice === "approve" || choice === "approve_edits") return { choice };
  const said = choice === undefined || choice === "reject" ? words : [choice, ...words];
  const feedback = message ?? (said.length > 0 ? said.join("\n") : undefined);
  return { choice: choice === undefined ? undefined : "reject", feedback };
}
