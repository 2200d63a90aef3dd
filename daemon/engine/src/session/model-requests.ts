import type { Limits, Spending } from "@muster/schema";
import type { Lives } from "./life/lives.ts";
import type { OngoingWork } from "./life/ongoing-work.ts";
import type { CurrentLife } from "./state/agent-life.ts";
import type { Journal } from "./state/journal.ts";
import type { BegunRequest, RequestJournal, SettledRequest } from "./state/request-journal.ts";
import type { SessionSettings } from "./state/session-settings.ts";
import type { Turns } from "./turn/turns.ts";

/** What the gateway has to know of a session before it lets a request pass. */
export interface RequestAccount {
  limits: Pick<Limits, "budgetUsd" | "budgetTokens" | "requestsPerMinute">;
  budgetGroup?: string;
  spent: Spending;
}

export interface ModelRequestsParts {
  settings: Pick<SessionSettings, "limits" | "stored">;
  journal: Journal;
  requestJournal: Pick<RequestJournal, "begin" | "settle">;
  turns: Pick<Turns, "setStopCause" | "waitForEnd">;
  current: Pick<CurrentLife, "tell">;
  lives: Pick<Lives, "replace">;
  work: Pick<OngoingWork, "background">;
}

/** How long an agent whose requests are refused may take to end its turn: first by itself, then when it is told to. */
const refusedMs = 5_000;
const interruptMs = 5_000;

/** What the gateway asks of a session and tells it. */
export class ModelRequests {
  readonly #parts: ModelRequestsParts;

  constructor(parts: ModelRequestsParts) {
    this.#parts = parts;
  }

  account(): RequestAccount {
    const { settings, journal } = this.#parts;
    const { budgetUsd, budgetTokens, requestsPerMinute } = settings.limits;
    const { open: _, estimated: __, billedNanoUsd: ___, owedNanoUsd: listNanoUsd, ...total } = journal.state.wire.total;
    // Some requests were billed otherwise than by the list: the sum is what a budget counts.
    const spent = { ...total, listNanoUsd };
    return { limits: { budgetUsd, budgetTokens, requestsPerMinute }, budgetGroup: settings.stored.budgetGroup, spent };
  }

  /** Resolves when the request is in the file of the log. */
  begin(request: BegunRequest): Promise<void> {
    return this.#parts.requestJournal.begin(request);
  }

  settle(settlement: SettledRequest): void {
    this.#parts.requestJournal.settle(settlement);
  }

  warn(budget: { spentUsd: number; budgetUsd: number }): void {
    const { journal } = this.#parts;
    if (journal.state.wire.warnedUsd === budget.budgetUsd) return;
    journal.emit("daemon", { type: "budget.warned", data: budget });
    journal.flush();
  }

  /** Ends the open turn with `budget_exceeded`: the agent's requests are refused already, and one that goes on is stopped. */
  stop({ message }: { message: string }): void {
    const { journal, turns, work } = this.#parts;
    const { turn } = journal.state;
    if (!turn) return;
    turns.setStopCause("budget_exceeded", message);
    work.background("end a turn over budget", this.#endTurn(turn.turnId, message));
  }

  async #endTurn(turnId: string, message: string): Promise<void> {
    const { journal, turns, current, lives } = this.#parts;
    const isOver = () => journal.state.turn?.turnId !== turnId;
    await turns.waitForEnd(refusedMs);
    if (isOver()) return;
    current.tell({ type: "interrupt" });
    await turns.waitForEnd(interruptMs);
    if (!isOver()) await lives.replace("budget_exceeded", "failed", message);
  }
}
