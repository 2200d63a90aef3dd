import { dollarsForCredits } from "@muster/metering";
import type { Settled } from "../money/calls/settle.ts";

type Fields = Record<string, unknown>;

/** Whole credits the client is to see for a call. */
export function creditsOf(settled: Settled | undefined): number {
  return settled?.kind === "charged" ? settled.shown : 0;
}

/** The usage with the cost from which the client's formula makes exactly these credits. Everything else stays. */
export function showCredits(message: Fields, credits: number): Fields {
  const usage = (message.usage ?? {}) as Fields;
  const details = (usage.cost_details ?? {}) as Fields;
  return {
    ...message,
    usage: { ...usage, cost: dollarsForCredits(credits), cost_details: { ...details, upstream_inference_cost: 0 } },
  };
}
