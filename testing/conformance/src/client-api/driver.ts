import type { UniversalEvent } from "@muster/schema";

/** A session as a case names it; the answers are what its handlers give to every request of a kind. */
export interface GivenSession {
  id: string;
  options?: Record<string, unknown>;
  answers?: { permission?: unknown; question?: unknown; plan?: unknown };
}

export interface CallArgs {
  session?: GivenSession;
  text?: string;
  options?: Record<string, unknown>;
  id?: string;
  fields?: Record<string, unknown>;
  after?: number;
  deltas?: boolean;
  /** One event at a time, each only when it is asked for. */
  paced?: boolean;
}

type CallName = "operation" | "ask" | "steer" | "queue" | "interrupt" | "terminate" | "delete";
type StreamName = "prompt" | "events" | "watch" | "operation";

/** A client of any language, as the cases use it. Errors are `ToldError`s. */
export interface Driver {
  call<T = unknown>(name: CallName, args: CallArgs, signal?: AbortSignal): Promise<T>;
  /** Who leaves the iteration stops the reading. */
  stream(name: StreamName, args: CallArgs, signal?: AbortSignal): AsyncGenerator<UniversalEvent>;
  close(): Promise<void>;
}

export interface Told {
  name: "Failure" | "TurnFailed" | "ConnectionFailure" | "Aborted" | "Other";
  code?: string;
  status?: number | string;
  message?: string;
}

/** An error as a driver tells it. */
export class ToldError extends Error {
  readonly told: Told;

  constructor(told: Told) {
    super(`${told.name}: ${told.message ?? told.code ?? ""}`);
    this.told = told;
  }
}
