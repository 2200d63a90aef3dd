import type { TurnFinished } from "@muster/adapters";
import type { Cause, Limits, TurnStatus } from "@muster/schema";
import type { TurnTracer } from "../tracing.ts";
import type { Journal } from "./journal.ts";
import type { OpenItems } from "./open-items.ts";
import type { Requests } from "./requests.ts";
import { TurnClock } from "./turn-clock.ts";

export interface TurnsOptions {
  journal: Journal;
  items: OpenItems;
  requests: Requests;
  tracer: TurnTracer | undefined;
  describe(): { sessionId: string; agent: string; model?: string | undefined };
  limits(): Limits & { turnIdleMs: number; toolIdleMs: number };
  /** The clock says that the open turn must end. */
  expired(cause: Cause): void;
  /** A turn has ended; its last event is emitted, not yet flushed. */
  ended(turnId: string): void;
}

export interface TurnResult extends Omit<TurnFinished, "status" | "messageIds"> {
  status: TurnStatus;
  workMayHaveContinued?: boolean;
}

/** The turns of a session: at most one open, each with one start, one end and a clock in between. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #journal: Journal;
  #clock: TurnClock | undefined;
  #endSpan: ((result: TurnResult) => void) | undefined;
  #stopCause: Cause | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#journal = options.journal;
  }

  begin(origin: "user" | "agent", messageIds: string[]): string {
    const turnId = `turn_${this.#journal.state.next.turn}`;
    const source = origin === "user" ? "daemon" : "agent";
    this.#journal.emit(source, { type: "turn.started", data: { turnId, messageIds, origin } }, turnId);
    const toolIsOpen = () => Object.values(this.#journal.state.items).some(({ item }) => item.kind === "tool_call");
    this.#stopCause = undefined;
    this.#clock = new TurnClock(this.#options.limits(), toolIsOpen, (cause) => this.#options.expired(cause));
    this.#endSpan = this.#options.tracer?.start({ ...this.#options.describe(), turnId, origin });
    return turnId;
  }

  /** The agent said that a turn is over. */
  finished({ messageIds, ...finished }: TurnFinished): void {
    const { turn } = this.#journal.state;
    const isOurs =
      turn && (messageIds === undefined || turn.origin === "agent" || namesOne(messageIds, turn.messageIds));
    if (isOurs) return this.end(finished);
    this.#options.items.status("turn_finished", `The agent finished a turn that is not open (${finished.status})`);
  }

  /** We stop the turn: whatever the agent calls its end, this is the cause. A later and harder stop has the last word. */
  stopping(cause: Cause): void {
    this.#stopCause = cause;
  }

  end(result: TurnResult): void {
    const { turn } = this.#journal.state;
    if (!turn) return;
    const { turnId } = turn;
    const { status, cause, ...rest } = this.#stopCause ? stopped(result, this.#stopCause) : result;
    this.#options.requests.cancelAll("daemon", "The turn has ended");
    this.#options.items.closeTurn(turnId, status === "failed" ? "failed" : "cancelled");
    const usage = rest.usage ?? turn.usage;
    const costUsd = rest.costUsd ?? turn.costUsd;
    const data = {
      turnId,
      status,
      ...(status === "completed"
        ? {}
        : { cause: cause ?? (status === "failed" ? "agent_error" : "interrupted_by_user") }),
      ...rest,
      ...(usage ? { usage } : {}),
      ...(costUsd === undefined ? {} : { costUsd }),
      durationMs: Math.max(0, Date.now() - Date.parse(turn.startedAt)),
    } as const;
    this.#journal.emit("daemon", { type: "turn.ended", data }, turnId);
    this.#endSpan?.(data);
    this.stopClock();
    this.#options.ended(turnId);
    for (const wake of this.#waiters.splice(0)) wake();
  }

  /** Resolves when no turn is open; at the latest after `ms`. */
  async quiet(ms: number): Promise<void> {
    if (!this.#journal.state.turn) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  touch(): void {
    this.#clock?.touch();
  }

  waitUntil(untilMs: number): void {
    this.#clock?.waitUntil(untilMs);
  }

  askingPeople(pending: number): void {
    if (pending > 0) this.#clock?.pause();
    else this.#clock?.resume();
  }

  stopClock(): void {
    this.#clock?.stop();
    this.#clock = undefined;
    this.#endSpan = undefined;
  }
}

function namesOne(named: readonly string[], known: readonly string[]): boolean {
  return named.some((messageId) => known.includes(messageId));
}

const interrupts: ReadonlySet<Cause> = new Set<Cause>([
  "interrupted_by_user",
  "terminated",
  "daemon_stopped",
  "agent_unresponsive",
]);

/** A turn that a person or a stop ended is interrupted, one that a limit ended has failed; the rest stays the agent's. */
function stopped(result: TurnResult, cause: Cause): TurnResult {
  return { ...result, status: interrupts.has(cause) ? "interrupted" : "failed", cause };
}
