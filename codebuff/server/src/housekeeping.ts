import { isBusy } from "@muster/sql";
import { errorFields } from "./log.ts";
import { closeLost, leaseMs } from "./money/calls/leases.ts";
import { expire, ownersToExpire } from "./money/grants/expire.ts";
import { failSilentRuns } from "./people/runs.ts";
import type { Service } from "./service.ts";

const renewEveryMs = 10_000;
const checkpointEveryMs = 5_000;
const sweepEveryMs = 15_000;
const dayMs = 24 * 60 * 60 * 1000;
/** A client that has been away for longer begins anew. */
const agentStateMs = 30 * dayMs;

/** What nobody asks for but must be done: leases, checkpoints, and closing what lost instances left open. */
export async function startHousekeeping(service: Service): Promise<() => Promise<void>> {
  const { database, calls, now } = service;
  await sweep(service, now());
  let trustedFrom = now();
  const repeat = (everyMs: number, work: () => Promise<void>) =>
    repeatEvery(everyMs, work, (error) => {
      service.log("error", "housekeeping failed", errorFields(error));
      if (isBusy(error)) trustedFrom = now() + leaseMs;
    });
  const stops = [
    repeat(renewEveryMs, () => calls.renew(database, now())),
    repeat(checkpointEveryMs, () => calls.checkpoint(database)),
    repeat(service.times.banMs, () => endBanned(service)),
    repeat(sweepEveryMs, () => sweep(service, trustedFrom)),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** A ban ends what its account has running, on whichever instance. */
async function endBanned({ database, calls }: Service): Promise<void> {
  const owners = [...calls.owners];
  for (let from = 0; from < owners.length; from += 1000) {
    const banned = await database.db
      .selectFrom("user")
      .select("id")
      .where("id", "in", owners.slice(from, from + 1000))
      .where("banned", "=", 1)
      .execute();
    for (const { id } of banned) calls.shutOut(id);
  }
}

async function sweep(service: Service, trustedFrom: number): Promise<void> {
  const { database, calls, metrics, log, now } = service;
  // After a jump of the clock our own leases seem to have run out, and whoever has them is here to say that they have not.
  await calls.renew(database, now());
  // Whoever was cut off from the database just now cannot tell who is lost: the others could not renew either.
  const closed = service.now() < trustedFrom ? { released: 0, settled: 0 } : await closeLost(database, now());
  if (closed.released + closed.settled > 0) {
    metrics.count("closed_holds", { kind: "released" }, closed.released);
    metrics.count("closed_holds", { kind: "settled" }, closed.settled);
    log("warn", "requests of a lost instance were closed", closed);
  }
  for (const ownerId of await ownersToExpire(database, now())) await expire(database, ownerId, now());
  const failed = await failSilentRuns(service);
  if (failed > 0) log("info", "runs without a call for a day have failed", { count: failed });
  const past = now() - dayMs;
  await database.db.deleteFrom("cli_login").where("expires_at", "<", past).execute();
  await database.db.deleteFrom("rate_window").where("started_at", "<", past).execute();
  await database.db.deleteFrom("session").where("expires_at", "<", past).execute();
  await database.db
    .deleteFrom("agent_mode_state")
    .where("updated_at", "<", now() - agentStateMs)
    .execute();
}

/** One round at a time; a round that fails is told and the next one comes. The returned function waits for the last. */
function repeatEvery(everyMs: number, work: () => Promise<void>, fail: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = work()
      .catch(fail)
      .finally(() => {
        isRunning = false;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
