import { setTimeout as wait } from "node:timers/promises";
import { isBusy } from "@muster/sql";
import { errorFields, type Log } from "../../log.ts";

/** A minute and a half in all: a database that is started again, or taken over by another, is back by then. */
const patienceMs = [100, 500, 2_000, ...Array.from({ length: 17 }, () => 5_000)];

/** Closes a call though the database is busy or away: what is known exactly is not left to the lease, which only estimates. */
export async function inSpite<Result>(
  requestId: string,
  close: () => Promise<Result>,
  { calls, log }: { calls: { readonly isOver: boolean }; log: Log },
): Promise<Result> {
  for (const ms of patienceMs) {
    try {
      return await close();
    } catch (error) {
      if (!isBusy(error) || calls.isOver) throw error;
      log("warn", "a call could not be settled yet", { requestId, ...errorFields(error) });
      await wait(ms);
    }
  }
  return close();
}
