import { setImmediate } from "node:timers/promises";
import {
  type PlanMark,
  type PrintModeEvent,
  planAnswer,
  type ToolInput,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import type { AskPermission, Gate, PermissionAnswer, PermissionRequest } from "@muster/codebuff-workspace";
import { z } from "zod";
import type { AskPerson } from "./ask-person.ts";

const Decision = z.looseObject({
  decision: z.enum(["once", "always", "deny"]),
  scope: z.enum(["session", "project", "everywhere"]).optional(),
  message: z.string().optional(),
});
const Chosen = z.looseObject({
  answers: z.array(z.looseObject({ selectedOption: z.string().optional(), otherText: z.string().optional() })).min(1),
});
const labels = { once: "Allow once", always: "Always", deny: "Deny" } as const;

/**
 * A permission as a question: a pair of `ask_user` events under an id of its own, outside of the history, with the
 * request beside the input where no model can forge it.
 */
export function permissionAsker(ask: AskPerson, emit: (event: PrintModeEvent) => Promise<void>): AskPermission {
  return async (request) => {
    const toolCallId = `ask-${request.toolCallId}`;
    const { agentId, signal } = request;
    const input = questionFor(request);
    const permission = markOf(request);
    const owner = { toolCallId, toolName: "ask_user", agentId };
    await emit({ type: "tool_call", ...owner, input: { ...input }, permission, includeToolCall: false });
    // Whoever reads the events has heard of the question before the person is asked.
    await setImmediate();
    let answer: PermissionAnswer = { decision: "deny" };
    try {
      answer = readDecision(await ask({ toolCallId, agentId, input, permission, signal }));
    } finally {
      void emit({ type: "tool_result", ...owner, output: [{ type: "json", value: { ...answer } }] });
    }
    return answer;
  };
}

function questionFor({ title, reason }: PermissionRequest): ToolInput<"ask_user"> {
  const options = Object.values(labels).map((label) => ({ label }));
  return { questions: [{ question: `${title} (${reason})`, header: "Permission", options, multiSelect: false }] };
}

function markOf({
  toolCallId,
  action,
  tool,
  title,
  reason,
  command,
  parts,
  paths,
  diff,
  url,
  rules,
}: PermissionRequest) {
  return JSON.parse(
    JSON.stringify({ toolCallId, action, tool, title, reason, command, parts, paths, diff, url, rules }),
  ) as {
    toolCallId: string;
    action: string;
    title: string;
  };
}

/** A decision, or the label of an option; anything else is a no. */
function readDecision(answer: unknown): PermissionAnswer {
  const direct = Decision.safeParse(answer);
  if (direct.success) {
    const { decision, scope, message } = direct.data;
    return { decision, scope, message };
  }
  const [chosen] = Chosen.safeParse(answer).data?.answers ?? [];
  for (const [decision, label] of Object.entries(labels)) {
    if (chosen?.selectedOption === label)
      return { decision: decision as PermissionAnswer["decision"], message: chosen.otherText };
  }
  return { decision: "deny", message: chosen?.otherText };
}

/** A model's question, or a plan that waits for approval: an approved plan opens the gate for the rest of the run. */
export async function askQuestion(
  ask: AskPerson | undefined,
  question: { toolCallId: string; agentId: string; input: ToolInput<"ask_user">; plan?: PlanMark; signal: AbortSignal },
  gate: Gate,
): Promise<ToolOutput> {
  if (ask === undefined) return [{ type: "json", value: { skipped: true } }];
  const value = (await ask(question)) as never;
  const output: ToolOutput = [{ type: "json", value: value ?? { skipped: true } }];
  if (question.plan === undefined) return output;
  const approval = planAnswer(output);
  if (approval === undefined) return output;
  if (approval.decision !== "reject") gate.switchTo({ writes: "allowed" });
  if (approval.decision === "approve_edits") gate.switchTo({ permissions: "accept-edits" });
  return output;
}
