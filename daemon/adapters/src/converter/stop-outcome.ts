import { type Cause, causes } from "@muster/schema";
import type { TurnFinished } from "../signals.ts";

/** Why the model stopped, in the words of Anthropic's API → what that is for the turn it ended. */
export function stopOutcome(reason: string | null | undefined): Pick<TurnFinished, "status" | "cause" | "message"> {
  const cause = reason && Object.hasOwn(stops, reason) ? stops[reason] : undefined;
  return cause === undefined ? { status: "completed" } : { status: "failed", cause, message: causes[cause] };
}

const stops: Readonly<Record<string, Cause>> = {
  max_tokens: "output_limit",
  model_context_window_exceeded: "context_overflow",
  refusal: "refused",
};
