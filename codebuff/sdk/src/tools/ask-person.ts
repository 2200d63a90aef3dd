import type { PermissionMark, PlanMark, ToolInput } from "@muster/codebuff-protocol";

/** What a person is asked: a question of the model, a permission, or the approval of a plan. */
export interface Ask {
  /** Of the `ask_user` call that shows it. */
  readonly toolCallId: string;
  readonly agentId: string;
  readonly input: ToolInput<"ask_user">;
  readonly permission?: PermissionMark;
  readonly plan?: PlanMark;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Answers with the value of the call's result: `{answers}` or `{skipped: true}`, `{decision, message?}` for a permission,
 * `{decision, plan?, message?}` for a plan.
 */
export type AskPerson = (ask: Ask) => Promise<unknown>;
