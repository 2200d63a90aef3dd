import type { Message, Subgoal, Todo } from "@muster/codebuff-protocol";
import { messageTokens } from "@muster/codebuff-protocol";

/** What a request may weigh, and what has to survive a summary though it does not stand in the history. */
export interface ContextBudget {
  /** Tokens the messages may take: the window less the answer, the system prompt and the tool schemas. */
  readonly maxTokens: number;
  /** From the usage a provider reported last; the estimate's scale. */
  readonly charactersPerToken?: number;
  readonly subgoals: Readonly<Record<string, Subgoal>>;
  readonly todos: readonly Todo[];
}

/**
 * `kept` means the history is as it was. `shortened` means old tool results were cut; `summarised` means the history was
 * replaced by a summary. `overflow` means that even the task alone does not fit.
 */
export type FittedContext =
  | { readonly outcome: "kept" | "shortened" | "summarised"; readonly messages: readonly Message[] }
  | { readonly outcome: "overflow"; readonly tokens: number };

/**
 * Makes a history fit its budget. Pure: called before every model step with the agent's history (without system prompt
 * and step reminder); what comes back takes the history's place and is journalled as a `replace` with reason `compact`.
 * A history that fits comes back as it is, so the prompt's prefix stays the same. No call is parted from its result.
 */
export function fitContext(messages: readonly Message[], budget: ContextBudget): FittedContext {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message, budget.charactersPerToken);
  return tokens <= budget.maxTokens ? { outcome: "kept", messages } : { outcome: "overflow", tokens };
}

/** As `fitContext`, but summarises whatever the size: what `context-pruner` and `/compact` ask for. */
export function summariseContext(messages: readonly Message[], budget: ContextBudget): FittedContext {
  return fitContext(messages, budget);
}
