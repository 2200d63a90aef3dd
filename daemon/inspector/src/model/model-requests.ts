import type { ModelRequest, UniversalEvent } from "@muster/schema";

/** A model request of a turn; one that is over has its last word. */
export type TurnRequest = ModelRequest & { turnId?: string };

/** The model requests that the gateway told of, in the order they began. */
export function modelRequests(events: Iterable<UniversalEvent>): TurnRequest[] {
  const requests = new Map<string, TurnRequest>();
  for (const event of events) {
    if (event.type !== "usage.updated" || event.data.request === undefined) continue;
    requests.set(event.data.request.requestId, { ...event.data.request, turnId: event.turnId });
  }
  return [...requests.values()];
}
