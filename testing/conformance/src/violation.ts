import type { UniversalEvent } from "@muster/schema";

/** One place where a list of events breaks a promise of the protocol. */
export interface Violation {
  /** The name of the invariant, as in `invariants`. */
  invariant: string;
  /** The event that broke it; the last one seen when something is missing at the end. */
  sequence: number;
  reason: string;
}

export interface CheckOptions {
  /** false: the list is a part of a conversation that still goes on; what is open at its end is no violation. */
  finished?: boolean;
  /** true: the reader asked to leave events out (`deltas=false`), so holes are allowed. */
  filtered?: boolean;
  /** The sequence before the first event of the list; 0 by default. */
  after?: number;
}

/** Looks at one invariant. Sees every event in order, then the end of the list. */
interface Watcher {
  see(event: UniversalEvent): void;
  end(): void;
}

export type Report = (reason: string) => void;
export type Watch = (report: Report, options: Required<CheckOptions>) => Watcher;
