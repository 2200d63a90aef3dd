import { Failure } from "@muster/schema/wire";
import type { EngineLog } from "../engine-log.ts";

/** Takes work nobody waits for: when it breaks, that is seen in the log. */
export type Background = (what: string, work: Promise<unknown>) => void;

export function backgroundOf(sessionId: string, log: EngineLog): Background {
  return (what, work) => {
    work.catch((error: unknown) => {
      // A failure has been told where it arose: as an event, or to the caller who asked.
      if (error instanceof Failure) return;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log("error", `could not ${what}`, { sessionId, error: text });
    });
  };
}
