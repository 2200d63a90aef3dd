import type { MarkedCall } from "./ports.ts";

/** A call on its way: to be run, or already refused. */
export interface PendingCall {
  readonly call: MarkedCall;
  readonly refusal?: string;
  /** Made by a local agent's `handleSteps`, which may spawn any agent. */
  readonly isTrusted: boolean;
}
