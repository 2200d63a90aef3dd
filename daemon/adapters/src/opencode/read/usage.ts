import { withEntry } from "@muster/core";
import type { Usage } from "@muster/schema";
import { emit } from "../../converter/steps.ts";
import type { NativePart, Tokens } from "../wire/native.ts";
import type { OpencodeState, OpencodeStep } from "../wire/state.ts";

type StepFinish = Extract<NativePart, { type: "step-finish" }>;

/** One call of the model is over. Those of sub-agents count too; the context is the conversation's own. */
export function countStep(state: OpencodeState, { id, sessionID, reason, tokens, cost }: StepFinish): OpencodeStep {
  const { turn, settings } = state;
  if (turn === null || turn.counted.has(id)) return emit(state);
  const { contextWindow } = settings;
  const isRoot = sessionID === settings.nativeSessionId;
  const context = isRoot ? { contextTokens: totalOf(tokens), contextWindow } : {};
  const usage = { ...addUsage(turn.usage, usageOf(tokens)), ...context };
  // Without prices OpenCode reports 0, which is not a cost.
  const costUsd = settings.priced || cost > 0 ? (turn.costUsd ?? 0) + cost : turn.costUsd;
  const counted = withEntry(turn.counted, id, true);
  const next = { ...state, turn: { ...turn, usage, counted, costUsd, finish: isRoot ? reason : turn.finish } };
  return emit(next, { type: "usage.updated", data: { ...usage, costUsd } });
}

/** `inputTokens` counts cached ones too, as everywhere in this daemon; OpenCode counts both apart, and reasoning too. */
function usageOf({ input, output, reasoning, cache }: Tokens): Usage {
  return {
    inputTokens: input + cache.read + cache.write,
    outputTokens: output + reasoning,
    cachedInputTokens: cache.read,
    reasoningTokens: reasoning,
  };
}

function totalOf(tokens: Tokens): number {
  const { inputTokens, outputTokens } = usageOf(tokens);
  return tokens.total ?? inputTokens + outputTokens;
}

function addUsage(before: Usage | undefined, step: Usage): Usage {
  if (before === undefined) return step;
  const sum = (name: "cachedInputTokens" | "reasoningTokens") => (before[name] ?? 0) + (step[name] ?? 0);
  return {
    ...before,
    inputTokens: before.inputTokens + step.inputTokens,
    outputTokens: before.outputTokens + step.outputTokens,
    cachedInputTokens: sum("cachedInputTokens"),
    reasoningTokens: sum("reasoningTokens"),
  };
}
