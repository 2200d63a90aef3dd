import { randomUUID } from "node:crypto";
import { messageOf } from "@muster/core";
import { type Amount, nothing } from "../amount.ts";
import type { InputEstimates } from "../meter/input-estimates.ts";
import { amountOf, isPriced, type Prices } from "../meter/spending.ts";
import type { GatewaySessions, SessionAccount } from "../ports.ts";
import type { Limits } from "./account.ts";
import type { Budgets, Reached, Scope } from "./budgets.ts";
import type { Ledger } from "./ledger.ts";
import { wordsFor } from "./reached-words.ts";

export interface AdmissionParts {
  readonly sessions: Pick<GatewaySessions, "stopped">;
  readonly budgets: Budgets;
  readonly ledger: Ledger;
  readonly estimates: InputEstimates;
  readonly daemonLimits: Limits;
  readonly unpriced: "refuse" | "allow";
}

export interface AskedRequest {
  readonly sessionId: string;
  readonly account: SessionAccount;
  readonly model: string;
  /** One conversation of an agent with one model: what it cost before says what it costs now. */
  readonly conversation: string;
  readonly estimatedTokens: number;
  readonly prices: Prices;
}

export interface Admitted {
  readonly requestId: string;
  readonly input: Amount;
}

/** Lets a request in to all its budgets and writes that down, or says why not. */
export function admit(
  asked: AskedRequest,
  parts: AdmissionParts,
): Admitted | { refused: "budget" | "price" | "broken"; message: string } {
  const { sessionId, account, model, prices } = asked;
  const scopes = scopesOf(asked, parts);
  const hasDollars = scopes.some(({ limits }) => limits.nanoUsd !== undefined);
  if (hasDollars && parts.unpriced === "refuse" && !isPriced(model, prices)) {
    return { refused: "price", message: wordsWithoutPrice(model) };
  }
  const requestId = `req_${randomUUID()}`;
  const { input, isKnown } = parts.estimates.estimate(asked.conversation, model, asked.estimatedTokens, prices);
  const reached = parts.budgets.admit({ requestId, scopes, input, isKnown });
  if (reached !== undefined) {
    const message = wordsFor(reached);
    parts.sessions.stopped(sessionId, { limit: limitOf(reached), message });
    return { refused: "budget", message };
  }
  try {
    parts.ledger.begin(requestId, account.budgetGroup, input);
  } catch (error) {
    parts.budgets.settle(requestId, nothing);
    return { refused: "broken", message: `The request was not forwarded: ${messageOf(error)}` };
  }
  return { requestId, input };
}

/** Which limit of a session, or whose budget, was reached. */
export function limitOf({ kind, currency }: Reached): "budgetUsd" | "budgetTokens" | "group" | "daemon" {
  if (kind !== "session") return kind;
  return currency === "nanoUsd" ? "budgetUsd" : "budgetTokens";
}

/** In a group the limits of a session are those of the group: what all of its sessions have spent together. */
function scopesOf({ sessionId, account }: AskedRequest, { ledger, daemonLimits }: AdmissionParts): Scope[] {
  const { limits, budgetGroup } = account;
  const own = { nanoUsd: nanoUsdOf(limits.budgetUsd), tokens: limits.budgetTokens };
  const session: Scope = {
    kind: "session",
    id: sessionId,
    limits: budgetGroup === undefined ? own : {},
    spentBefore: () => amountOf(account.spent),
  };
  const daemon: Scope = { kind: "daemon", id: "", limits: daemonLimits, spentBefore: () => ledger.before.daemon };
  if (budgetGroup === undefined) return [session, daemon];
  const spentBefore = () => ledger.before.groups.get(budgetGroup) ?? nothing;
  return [session, { kind: "group", id: budgetGroup, limits: own, spentBefore }, daemon];
}

export function nanoUsdOf(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : Math.round(dollars * 1e9);
}

function wordsWithoutPrice(model: string): string {
  return (
    `No price is known for the model ${model}, and a budget in dollars holds for this session. ` +
    `Set one in routes.yaml, in dollars for a million tokens: prices: { "${model}": { input: 1, output: 5 } }; ` +
    "or start the daemon with --unpriced allow."
  );
}
