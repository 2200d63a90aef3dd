import type { Line } from "@muster/node";
import type { AgentExited } from "../signals.ts";

/** How a life speaks with its agent: over the pipes of its own process, or as one of many on a shared server. */
export interface LineChannel<Native> {
  /** Lines flow from here on, unless paused. To be called once. */
  open(receiver: LineReceiver): void;
  pause(): void;
  resume(): void;
  /** Resolves when the agent has them. Rejects once it no longer listens. */
  write(lines: readonly Native[]): Promise<void>;
  /** Ends this life. Resolves when nothing of it is left; `exit` comes by then or, if it is paused, when all is read. */
  end(options: { graceMs?: number }): Promise<void>;
}

export interface LineReceiver {
  lines(lines: readonly Line[]): void;
  /** The last call: everything the agent said has been received and nothing of it runs any more. */
  exit(exit: Omit<AgentExited, "expected">): void;
}
