import { z } from "zod";

/** Why a turn did not complete, and the code of an `error` event. Code → what it means to a person. */
export const causes = {
  agent_timeout: "The agent gave no sign of life for turnIdleMs",
  tool_timeout: "A tool call gave no sign of life for toolIdleMs",
  turn_timeout: "The turn took longer than turnMs",
  agent_exited: "The agent's process ended",
  agent_unresponsive: "The agent did not obey an interrupt and was replaced",
  agent_error: "The agent reported a failure of its own",
  agent_protocol_error: "The agent said something that cannot be understood",
  spawn_failed: "The agent could not be started",
  daemon_restarted: "The daemon was restarted while the turn was open",
  daemon_stopped: "The daemon was stopped while the turn was open",
  interrupted_by_user: "A client interrupted the turn",
  terminated: "A client terminated or deleted the session",
  auth_failed: "The provider refused the credentials",
  rate_limited: "The provider asked to slow down and the retries were used up",
  provider_error: "The provider failed",
  context_overflow: "The conversation no longer fits the model's context",
  model_not_found: "The provider does not know the model",
  max_steps: "The agent reached the number of steps it may take",
  out_of_credits: "The account has no credits left",
  account_suspended: "The account is suspended",
  free_mode_unavailable: "The free mode is not available here",
  output_limit: "The model reached its output limit",
  refused: "The model refused to answer",
  budget_exceeded: "The session's budgetUsd is used up",
  storage_full: "The event log could not be written",
} as const satisfies Record<string, string>;

export type Cause = keyof typeof causes;
export const Cause = z.enum(Object.keys(causes) as [Cause, ...Cause[]]);
