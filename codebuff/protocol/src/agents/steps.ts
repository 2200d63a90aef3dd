import { z } from "zod";
import { ToolOutput } from "../messages/tool-output.ts";
import type { RunAgentState } from "./session-state.ts";

/** A plan that waits for approval. It stands beside an ask_user call's input, never inside: a model could forge it there. */
export const PlanMark = z.object({ text: z.string() });
export type PlanMark = z.infer<typeof PlanMark>;

/** A call that `handleSteps` makes. Hidden from history with `includeToolCall: false`; its events are sent all the same. */
export const StepToolCall = z.object({
  toolName: z.string(),
  input: z.record(z.string(), z.json()),
  includeToolCall: z.boolean().optional(),
  /** Only local agents may mark a plan. */
  plan: PlanMark.optional(),
});
export type StepToolCall = z.infer<typeof StepToolCall>;

/** What `handleSteps` may yield. Returning ends the turn. */
export const StepYield = z.union([
  z.literal("STEP"),
  z.literal("STEP_ALL"),
  z.object({ type: z.literal("STEP_TEXT"), text: z.string() }),
  z.object({ type: z.literal("GENERATE_N"), n: z.int().min(1).max(10) }),
  StepToolCall,
]);
export type StepYield = z.infer<typeof StepYield>;

/** The part of an agent's state that `handleSteps` may see. */
export type PublicAgentState = Pick<
  RunAgentState,
  | "agentId"
  | "runId"
  | "parentId"
  | "messageHistory"
  | "output"
  | "systemPrompt"
  | "toolDefinitions"
  | "contextTokenCount"
>;

/**
 * What a yield gives back. `toolResult` is the output of the last tool; `stepsComplete` is true when the last model step
 * wanted to end the turn; `nResponses` answers GENERATE_N.
 */
export interface StepReply {
  readonly agentState: PublicAgentState;
  readonly toolResult: ToolOutput | undefined;
  readonly stepsComplete: boolean;
  readonly nResponses?: readonly string[];
}

export interface StepLogger {
  debug(data: unknown, message?: string): void;
  info(data: unknown, message?: string): void;
  warn(data: unknown, message?: string): void;
  error(data: unknown, message?: string): void;
}

/** What the runtime hands to `handleSteps`. */
interface StepsInput {
  readonly agentState: PublicAgentState;
  readonly prompt: string | undefined;
  readonly params: Record<string, unknown> | undefined;
  readonly logger: StepLogger;
}

/** What an author may write in a `yield`; the runtime checks that the input is JSON. */
type AuthoredYield =
  | Exclude<StepYield, StepToolCall>
  | (Omit<StepToolCall, "input"> & { readonly input: Readonly<Record<string, unknown>> });

export type HandleSteps = (input: StepsInput) => Generator<AuthoredYield, void, StepReply>;

/** The text of `handleSteps` as an expression of its own: a method's text begins with its star. */
export function stepsText(steps: HandleSteps | string): string {
  const text = String(steps).trim();
  const method = /^\*\s*(?:[\w$]+|\[[^\]]*\]|"[^"]*"|'[^']*')?\s*(?=\()/.exec(text);
  return method === null ? text : `function* handleSteps${text.slice(method[0].length)}`;
}

/** The answer to a marked plan. `approve_edits` also lets edits pass without asking; `plan` is the text as edited. */
export const PlanAnswer = z.object({
  decision: z.enum(["approve", "approve_edits", "reject"]),
  plan: z.string().optional(),
  message: z.string().optional(),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

const byOption = z.object({
  answers: z.array(
    z.object({ selectedOption: z.string().optional(), otherText: z.string().optional(), questionIndex: z.int() }),
  ),
});

/** Reads the answer to a marked plan from the output of its ask_user call; undefined when nobody decided. */
export function planAnswer(output: ToolOutput): PlanAnswer | undefined {
  const value = ToolOutput.parse(output).find((part) => part.type === "json")?.value;
  const direct = PlanAnswer.safeParse(value);
  if (direct.success) return direct.data;
  const chosen = byOption.safeParse(value).data?.answers[0];
  if (chosen === undefined) return undefined;
  const decision = PlanAnswer.shape.decision.safeParse(chosen.selectedOption);
  if (decision.success) return { decision: decision.data, message: chosen.otherText };
  return chosen.otherText === undefined ? undefined : { decision: "reject", message: chosen.otherText };
}
