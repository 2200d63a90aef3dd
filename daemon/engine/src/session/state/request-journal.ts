import type { ModelRequest, Spending } from "@muster/schema";
import type { Counters } from "../../counters.ts";
import type { ModelCallEnd, TurnTrace } from "../../tracing.ts";
import { wireAfter } from "../../wire-account.ts";
import type { Journal } from "./journal.ts";

/** A model request that is about to be forwarded, with what its input costs by estimate. */
export interface BegunRequest extends Pick<ModelRequest, "requestId" | "provider" | "protocol" | "model" | "subAgent"> {
  reserved: Spending;
}

/** How a request turned out: `spent` stands in place of what was reserved. */
export interface SettledRequest extends Pick<ModelRequest, "requestId" | "firstByteMs"> {
  spent: Spending;
  isEstimated: boolean;
  status: number;
  durationMs: number;
  /** What the answer said of itself, for whoever measures it: the log has what it cost. */
  answered?: { isStream?: boolean; model?: string; id?: string; finishReason?: string };
}

/** How long requests of an agent that has ended may take to be settled. */
const settleMs = 1_000;

/** The model requests of a session in its log: each twice, when it begins and when it is over. */
export class RequestJournal {
  readonly #journal: Journal;
  readonly #watchers: readonly Pick<TurnTrace, "startModelCall">[];
  /** requestId → who measures it */
  readonly #measured = new Map<string, ((end: ModelCallEnd) => void)[]>();
  #waiters: (() => void)[] = [];

  /** Traces and figures take each request as a call to a model. */
  constructor(
    journal: Journal,
    { span, counters }: { span: Pick<TurnTrace, "startModelCall">; counters: Pick<Counters, "startModelCall"> },
  ) {
    this.#journal = journal;
    this.#watchers = [span, counters];
  }

  /** Resolves when the request is in the file of the log: from then on it is owed, whatever dies. */
  async begin({ reserved, ...request }: BegunRequest): Promise<void> {
    const journal = this.#journal;
    this.#tell({ ...request, state: "open", ...countsOf(reserved) }, journal.state.turn?.turnId);
    const { requestId, provider, model, protocol } = request;
    const operation = protocol === "gemini" ? "generate_content" : "chat";
    this.#measured.set(
      requestId,
      this.#watchers.map((watcher) => watcher.startModelCall({ provider, model, operation })),
    );
    await journal.flush()?.written;
  }

  /** A request that is not open was settled before, by its end or a recovery. */
  settle(settled: SettledRequest): void {
    const { requestId, spent, isEstimated, status, firstByteMs, durationMs } = settled;
    const { state } = this.#journal;
    const begun = state.wire.open.get(requestId);
    if (!begun) return;
    const outcome = { estimated: isEstimated || undefined, status: status || undefined, firstByteMs, durationMs };
    const request: ModelRequest = { ...begun.request, state: "settled", ...countsOf(spent), ...outcome };
    this.#tell(request, begun.turnId);
    this.#journal.flush();
    this.#endMeasuring(request, settled.answered);
    if (state.wire.open.size === 0) for (const wake of this.#waiters.splice(0)) wake();
  }

  /** The agent has ended: resolves when none of its requests is open, the last ones by estimate, so that nothing comes after its end. */
  async end(): Promise<void> {
    const journal = this.#journal;
    if (journal.state.wire.open.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      timer = setTimeout(resolve, settleMs);
    });
    clearTimeout(timer);
    if (!journal.log.failed) this.settleLost();
  }

  /** Requests that nobody will settle any more stay counted as they were reserved, and the log says that this is an estimate. */
  settleLost(): void {
    for (const { turnId, request } of [...this.#journal.state.wire.open.values()]) {
      const lost: ModelRequest = { ...request, state: "settled", estimated: true };
      this.#tell(lost, turnId);
      this.#endMeasuring(lost);
    }
  }

  #endMeasuring(request: ModelRequest, answered?: SettledRequest["answered"]): void {
    const ends = this.#measured.get(request.requestId) ?? [];
    this.#measured.delete(request.requestId);
    for (const end of ends) end(callEnd(request, answered));
  }

  #tell(request: ModelRequest, turnId: string | undefined): void {
    const { turn, wire } = this.#journal.state;
    const told = turn?.turnId === turnId ? turn : null;
    const data = {
      ...(told?.usage ?? { inputTokens: 0, outputTokens: 0 }),
      costUsd: told?.costUsd,
      wire: wireAfter(wire, request, turnId),
      request,
    };
    this.#journal.emit("daemon", { type: "usage.updated", data }, turnId ?? null);
  }
}

function callEnd(
  { status, firstByteMs, listUsd, estimated, ...request }: ModelRequest,
  { isStream, model, id, finishReason }: NonNullable<SettledRequest["answered"]> = {},
): ModelCallEnd {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = request;
  const isFailed = status === undefined || status >= 400;
  return {
    status: isFailed ? "failed" : estimated ? "cancelled" : "completed",
    errorType: isFailed ? String(status ?? "unanswered") : undefined,
    isStream,
    responseModel: model,
    responseId: id,
    finishReasons: finishReason === undefined ? undefined : [finishReason],
    firstByteMs,
    usage: { inputTokens, outputTokens, cachedInputTokens, reasoningTokens },
    costUsd: listUsd,
  };
}

function countsOf({ listNanoUsd, billedNanoUsd, ...tokens }: Spending) {
  const billedUsd = billedNanoUsd === undefined ? undefined : billedNanoUsd / 1e9;
  return { ...tokens, listUsd: listNanoUsd / 1e9, billedUsd };
}
