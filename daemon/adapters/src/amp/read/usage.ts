import type { Usage } from "@muster/schema";
import { emit } from "../../converter/steps.ts";
import type { ApiUsage } from "../wire/native.ts";
import type { AmpState, AmpStep } from "../wire/state.ts";

/** Adds one call of the model to the turn. `inputTokens` counts cached ones too, as everywhere in this daemon. */
export function addUsage(state: AmpState, usage: ApiUsage, { isOwn }: { isOwn: boolean }): AmpStep {
  const cached = usage.cache_read_input_tokens ?? 0;
  const input = (usage.input_tokens ?? 0) + cached + (usage.cache_creation_input_tokens ?? 0);
  const output = usage.output_tokens ?? 0;
  const before = state.turn.usage;
  const total: Usage = {
    inputTokens: (before?.inputTokens ?? 0) + input,
    outputTokens: (before?.outputTokens ?? 0) + output,
    cachedInputTokens: (before?.cachedInputTokens ?? 0) + cached,
    // A sub-agent has a context of its own.
    contextTokens: isOwn ? input + output : before?.contextTokens,
    contextWindow: isOwn ? (usage.max_tokens ?? undefined) : before?.contextWindow,
  };
  return emit({ ...state, turn: { ...state.turn, usage: total } }, { type: "usage.updated", data: total });
}
