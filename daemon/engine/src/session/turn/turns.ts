import type { TurnFinished } from "@muster/adapters";
import type { Cause, ItemStatus, TurnStatus } from "@muster/schema";
import { wireOf } from "../../wire-account.ts";
import type { Journal } from "../state/journal.ts";
import type { OpenItems } from "./open-items.ts";
import { plainMessage } from "./plain-message.ts";
import type { Requests } from "./requests.ts";

export interface TurnResult extends Omit<TurnFinished, "status" | "messageIds"> {
  status: TurnStatus;
  workMayHaveContinued?: boolean;
}

/** The turns of a session: at most one open, each with one start and one end. */
export class Turns {
  readonly #journal: Journal;
  readonly #items: OpenItems;
  readonly #requests: Requests;
  #stop: { cause: Cause; message: string | undefined } | undefined;
  #waiters: (() => void)[] = [];

  constructor(journal: Journal, items: OpenItems, requests: Requests) {
    this.#journal = journal;
    this.#items = items;
    this.#requests = requests;
  }

  /** What the next turn will be called. */
  get nextId(): string {
    return `turn_${this.#journal.state.next.turn}`;
  }

  begin(origin: "user" | "agent", messageIds: string[]): void {
    const turnId = this.nextId;
    const source = origin === "user" ? "daemon" : "agent";
    this.#stop = undefined;
    this.#journal.emit(source, { type: "turn.started", data: { turnId, messageIds, origin } }, turnId);
  }

  /** The agent said that a turn is over. */
  finish({ messageIds, ...finished }: TurnFinished): void {
    const { turn } = this.#journal.state;
    const isOurs =
      turn && (messageIds === undefined || turn.origin === "agent" || namesOne(messageIds, turn.messageIds));
    if (isOurs) return this.end(finished);
    this.#items.addStatus("turn_finished", `The agent finished a turn that is not open (${finished.status})`);
  }

  /** We stop the turn: whatever the agent calls its end, this is the cause. A later and harder stop has the last word. */
  setStopCause(cause: Cause, message?: string): void {
    this.#stop = { cause, message };
  }

  end(result: TurnResult): void {
    const { turn } = this.#journal.state;
    if (!turn) return;
    const { turnId } = turn;
    const { status, cause: named, message, ...rest } = this.#stop ? stop(result, this.#stop) : result;
    const cause = status === "completed" ? undefined : (named ?? defaultCause(status));
    this.#requests.cancelAll("daemon", "The turn has ended");
    this.#items.closeTurn(turnId, status === "failed" ? "failed" : "cancelled");
    const wire = wireOf(this.#journal.state.wire, turnId);
    const data = {
      turnId,
      status,
      cause,
      message: status === "failed" && cause !== undefined ? plainMessage(message, cause) : message,
      ...rest,
      usage: rest.usage ?? turn.usage,
      // An agent that tells no cost has one all the same, where the gateway has counted it.
      costUsd: rest.costUsd ?? turn.costUsd ?? wire?.listUsd,
      wire,
      durationMs: Math.max(0, Date.now() - Date.parse(turn.startedAt)),
    };
    this.#journal.emit("daemon", { type: "turn.ended", data }, turnId);
    this.stopWaiting();
  }

  /** With a life ends everything that is open in it. */
  endLife(turn: TurnResult, items: ItemStatus, reason: string): void {
    this.end(turn);
    this.#requests.cancelAll("daemon", reason);
    this.#items.closeAll(items);
  }

  /** Resolves when no turn is open; at the latest after `ms`. */
  async waitForEnd(ms: number): Promise<void> {
    if (!this.#journal.state.turn) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  /** Lets go of whoever waits for an end that will not be told. */
  stopWaiting(): void {
    for (const wake of this.#waiters.splice(0)) wake();
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
function stop(result: TurnResult, { cause, message }: { cause: Cause; message: string | undefined }): TurnResult {
  if (interrupts.has(cause)) return { ...result, status: "interrupted", cause };
  // What the agent says of its end is that it was stopped.
  return { ...result, status: "failed", cause, message };
}

function defaultCause(status: TurnStatus): Cause {
  return status === "failed" ? "agent_error" : "interrupted_by_user";
}
