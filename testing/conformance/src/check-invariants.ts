import { UniversalEvent } from "@muster/schema";
import { files } from "./invariants/files.ts";
import { items } from "./invariants/items.ts";
import { lives } from "./invariants/lives.ts";
import { messages } from "./invariants/messages.ts";
import { requests } from "./invariants/requests.ts";
import { results } from "./invariants/results.ts";
import { sequences } from "./invariants/sequences.ts";
import { titles } from "./invariants/titles.ts";
import { turns } from "./invariants/turns.ts";
import type { CheckOptions, Violation, Watch } from "./violation.ts";

/**
 * name → watcher, in the order of the invariants of the protocol. Two of its seven cannot be seen in a list of events:
 * that no line of an agent disappears and that converters are deterministic; the recordings of the adapters show those.
 */
const invariants: Readonly<Record<string, Watch>> = {
  sequences,
  items,
  turns,
  requests,
  messages,
  lives,
  files,
  titles,
  results,
};

/** Every broken promise in a list of events of one session. Nothing is thrown: an empty list is a good stream. */
export function checkInvariants(events: readonly UniversalEvent[], options: CheckOptions = {}): Violation[] {
  const settings = { finished: true, filtered: false, after: 0, ...options };
  const violations: Violation[] = [];
  let sequence = settings.after;
  const watchers = Object.entries(invariants).map(([invariant, watch]) => ({
    invariant,
    ...watch((reason) => violations.push({ invariant, sequence, reason }), settings),
  }));
  for (const event of events) {
    sequence = event.sequence;
    const fault = schemaFault(event);
    if (fault !== undefined) violations.push({ invariant: "schema", sequence, reason: fault });
    // Of an event that is not of the schema only its number can be trusted.
    for (const { invariant, see } of watchers) if (fault === undefined || invariant === "sequences") see(event);
  }
  for (const { end } of watchers) end();
  return violations;
}

function schemaFault(event: unknown): string | undefined {
  const result = UniversalEvent.safeParse(event);
  if (result.success) return undefined;
  return result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
