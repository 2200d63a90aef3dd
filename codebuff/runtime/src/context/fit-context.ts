import {
  type Message,
  messageTokens,
  type Subgoal,
  type Todo,
  usualCharactersPerToken,
} from "@muster/codebuff-protocol";
import { happeningsOf, instructionsTag, summaryTag } from "./happenings.ts";
import { shortenOldResults } from "./shorten-results.ts";
import { squeeze } from "./squeeze.ts";
import { summarise } from "./summary.ts";
import { summaryText } from "./summary-text.ts";
import { boundaryBefore, tailStart, unfinishedStart } from "./tail.ts";

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

/** Shares of the budget. What is cut is cut well below it: each cut costs the whole prompt cache. */
const share = { shortened: 0.7, afterShortening: 0.85, fresh: 0.25, summary: 0.1, summarised: 0.6 };

/**
 * Makes a history fit its budget. Pure: called before every model step with the agent's history (without system prompt
 * and step reminder); what comes back takes the history's place and is journalled as a `replace` with reason `compact`.
 * A history that fits comes back as it is, so the prompt's prefix stays the same. No call is parted from its result.
 */
export function fitContext(messages: readonly Message[], budget: ContextBudget): FittedContext {
  const limit = limitOf(budget);
  const weigh = tokenCounter(budget);
  if (weigh(messages) <= limit) return { outcome: "kept", messages };
  const fresh = tailStart(messages, share.fresh * limit, weigh);
  const shortened = shortenOldResults(messages, fresh, (now) => weigh(now) <= share.shortened * limit);
  if (weigh(shortened) <= share.afterShortening * limit) return { outcome: "shortened", messages: shortened };
  return summariseContext(messages, budget);
}

/** As `fitContext`, but summarises whatever the size: what `context-pruner` and `/compact` ask for. */
export function summariseContext(messages: readonly Message[], budget: ContextBudget): FittedContext {
  const limit = limitOf(budget);
  const weigh = tokenCounter(budget);
  const forced = boundaryBefore(messages, unfinishedStart(messages));
  for (const fresh of [share.fresh, share.fresh / 2, 0]) {
    const start = Math.min(forced, tailStart(messages, fresh * limit, weigh));
    const summarised = withSummary(messages, start, budget);
    if (weigh(summarised) <= share.summarised * limit) return { outcome: "summarised", messages: summarised };
  }
  return squeezeToFit(withSummary(messages, forced, budget), limit, weigh);
}

/** The last resort: results and arguments that cannot be left out are cut harder and harder. */
function squeezeToFit(
  messages: readonly Message[],
  limit: number,
  weigh: (messages: readonly Message[]) => number,
): FittedContext {
  for (const characters of [15_000, 4_000, 1_000, 300]) {
    const smaller = squeeze(messages, characters);
    if (weigh(smaller) <= limit) return { outcome: "summarised", messages: smaller };
  }
  return { outcome: "overflow", tokens: weigh(messages) };
}

function withSummary(messages: readonly Message[], start: number, budget: ContextBudget): Message[] {
  const old = messages.slice(0, start);
  const tail = messages.slice(start);
  if (old.length === 0) return tail;
  const summary = summarise(old.flatMap(happeningsOf));
  const characters = share.summary * limitOf(budget) * (budget.charactersPerToken ?? usualCharactersPerToken);
  const text = summaryText(summary, budget, Math.max(600, characters));
  const content = [{ type: "text" as const, text }, ...lastImages(old, tail)];
  const instructions = tail.some(isInstructions) ? [] : old.filter(isInstructions).slice(-1);
  return [{ role: "user", content, tags: [summaryTag], keepDuringTruncation: true }, ...instructions, ...tail];
}

function isInstructions(message: Message): boolean {
  return message.tags?.includes(instructionsTag) ?? false;
}

/** The images of the user's last message: a summary has no words for them. */
function lastImages(old: readonly Message[], tail: readonly Message[]) {
  if (tail.some(isFromUser)) return [];
  const last = old.findLast(isFromUser);
  return last?.role === "user" ? last.content.filter((part) => part.type !== "text") : [];
}

function isFromUser(message: Message): boolean {
  return message.role === "user" && !isInstructions(message) && message.timeToLive === undefined;
}

function limitOf({ maxTokens }: ContextBudget): number {
  return maxTokens - Math.min(1_000, maxTokens * 0.05);
}

function tokenCounter({ charactersPerToken }: ContextBudget): (messages: readonly Message[]) => number {
  return (messages) => messages.reduce((sum, message) => sum + messageTokens(message, charactersPerToken), 0);
}
