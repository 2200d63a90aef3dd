import type { WireRequest, WireSettlement } from "../ports.ts";

/** A request of a session, for a page that shows them. */
export interface ShownRequest extends WireRequest {
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  /** Missing while it is open. */
  readonly settled?: WireSettlement;
}

const mostOfSession = 200;

/** The newest requests of each session, in this memory only; what they cost is in the log of the session. */
export class RequestHistory {
  readonly #sessions = new Map<string, Map<string, ShownRequest>>();

  begin(sessionId: string, request: WireRequest, at: number): void {
    const shown = this.#sessions.get(sessionId) ?? new Map<string, ShownRequest>();
    this.#sessions.set(sessionId, shown);
    shown.set(request.requestId, { ...request, at });
    for (const [oldest] of shown) {
      if (shown.size <= mostOfSession) break;
      shown.delete(oldest);
    }
  }

  settle(sessionId: string, settled: WireSettlement): void {
    const shown = this.#sessions.get(sessionId);
    const request = shown?.get(settled.requestId);
    if (request !== undefined) shown?.set(settled.requestId, { ...request, settled });
  }

  of(sessionId: string): readonly ShownRequest[] {
    return [...(this.#sessions.get(sessionId)?.values() ?? [])];
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
