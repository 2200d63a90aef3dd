import { limitOf } from "../budget/admission.ts";
import type { Consequences } from "../budget/budgets.ts";
import { wordsFor } from "../budget/reached-words.ts";
import type { GatewaySessions } from "../ports.ts";

/** A request on its way, as a budget or the end of the process reaches it. */
export interface OpenRequest {
  readonly requestId: string;
  readonly sessionId: string;
  /** Nothing more of its answer goes out but these words. */
  cut(words: string): void;
  /** The process ends. */
  stop(): void;
}

/** All requests on their way; what follows from a change of a budget reaches them and their sessions here. */
export class OpenRequests {
  readonly #open = new Map<string, OpenRequest>();
  readonly #sessions: Pick<GatewaySessions, "warned" | "stopped">;

  constructor(sessions: Pick<GatewaySessions, "warned" | "stopped">) {
    this.#sessions = sessions;
  }

  add(request: OpenRequest): void {
    this.#open.set(request.requestId, request);
  }

  remove(requestId: string): void {
    this.#open.delete(requestId);
  }

  /** Sessions hear of it before their streams are cut: by then all that is new is refused. */
  apply({ warned, cut }: Consequences, causedBy: string): void {
    for (const { usedNanoUsd, limitNanoUsd } of warned) {
      this.#sessions.warned(causedBy, { spentUsd: usedNanoUsd / 1e9, budgetUsd: limitNanoUsd / 1e9 });
    }
    const told = new Set<string>();
    const found = cut.flatMap(({ requestId, reached }) => {
      const request = this.#open.get(requestId);
      return request === undefined ? [] : [{ request, reached }];
    });
    for (const { request, reached } of found) {
      if (told.has(request.sessionId)) continue;
      told.add(request.sessionId);
      this.#sessions.stopped(request.sessionId, { limit: limitOf(reached), message: wordsFor(reached) });
    }
    for (const { request, reached } of found) request.cut(wordsFor(reached));
  }

  stopAll(): void {
    for (const request of this.#open.values()) request.stop();
  }
}
