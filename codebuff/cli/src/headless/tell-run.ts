import type { PrintModeEvent } from "@muster/codebuff-protocol";
import type { TurnEnd } from "../run/conversation.ts";
import type { OpenAsks } from "./open-asks.ts";
import type { Sink } from "./sinks.ts";

/** Tells a run to its end. Each event is written before the next one is read: whoever does not read holds the run up. */
export async function tellRun(
  events: AsyncGenerator<PrintModeEvent, TurnEnd, void>,
  { asks, sink }: { asks: OpenAsks; sink: Sink },
): Promise<TurnEnd> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    asks.announce(next.value);
    await sink.event(next.value);
  }
}
