import type { Database } from "../../database/tables.ts";
import { unmeteredCall } from "./call-record.ts";
import { release } from "./release.ts";
import { type Settlement, settle } from "./settle.ts";

/** A hold whose instance has not been heard of for this long belongs to nobody. */
export const leaseMs = 30_000;

/** More would be more values than a statement may have. */
const mostTogether = 1000;

/**
 * By name, not for whatever the instance has open: a request it has given up without being able to close it must run out, or
 * its credits would stay held for as long as the instance lives.
 */
export async function renewLeases(
  database: Database,
  requestIds: readonly string[],
  leaseUntil: number,
): Promise<void> {
  for (let from = 0; from < requestIds.length; from += mostTogether) {
    await database.write((connection) => {
      const open = connection
        .selectFrom("credit_hold")
        .select("request_id")
        .where("request_id", "in", requestIds.slice(from, from + mostTogether))
        .where("state", "=", "open");
      return (
        connection
          .updateTable("credit_hold")
          .set({ lease_until: leaseUntil })
          // One that is locked is just being closed. To wait for it with others in hand would be a deadlock.
          .where("request_id", "in", database.kind === "postgres" ? open.forUpdate().skipLocked() : open)
          .execute()
      );
    });
  }
}

/** What has come back so far, in units: all that a crash may charge beyond the input. */
export async function checkpointOutput(
  database: Database,
  outputs: readonly { requestId: string; units: number }[],
): Promise<void> {
  const write = ({ requestId, units }: { requestId: string; units: number }) =>
    database.write((connection) =>
      connection
        .updateTable("credit_hold")
        .set({ output_checkpoint: units })
        .where("request_id", "=", requestId)
        .where("state", "=", "open")
        .execute(),
    );
  await Promise.all(outputs.map(write));
}

/**
 * Closes the requests of instances that are gone: never dispatched, given back; dispatched, charged with what is known to
 * have been used, never more than was held.
 */
export async function closeLost(database: Database, at: number): Promise<{ released: number; settled: number }> {
  const lost = await database.db
    .selectFrom("credit_hold")
    .selectAll()
    .where("state", "=", "open")
    .where("lease_until", "<", at)
    .limit(1000)
    .execute();
  const count = { released: 0, settled: 0 };
  for (const hold of lost) {
    const close = { requestId: hold.request_id, ownerId: hold.owner_id, closedBy: "lease", at };
    if (hold.dispatched_at === null) {
      if (await release(database, close)) count.released++;
      continue;
    }
    const cost = Math.min(hold.amount, hold.input_estimate + hold.output_checkpoint);
    const settled = await settle(database, { ...close, cost, call: lostCall(hold.created_at) });
    if (settled.kind === "charged") count.settled++;
  }
  return count;
}

function lostCall(createdAt: number): Settlement["call"] {
  const unknown = { model: "unknown", provider: "unknown", cost_from: "estimate" };
  return unmeteredCall({ ...unknown, outcome: "lost", created_at: createdAt });
}
