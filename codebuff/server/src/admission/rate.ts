import { sql } from "@muster/sql";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

/** G2b: requests a minute per key, off unless configured. The windows are rows, so all instances count together. */
export async function limitRate(sessionId: string, service: Service): Promise<void> {
  await limit(service, `key:${sessionId}`, service.config.requestsPerMinute, ["requests in a minute", minute]);
}

/** What nobody pays for is limited per account: a key more is made at once. */
export async function limitFreeMode(userId: string, service: Service): Promise<void> {
  const { freeCallsPerMinute, freeCallsPerDay } = service.config;
  await limit(service, `free:${userId}`, freeCallsPerMinute, ["calls of free mode in a minute", minute]);
  await limit(service, `free-day:${userId}`, freeCallsPerDay, ["calls of free mode in a day", day]);
}

async function limit(
  service: Service,
  key: string,
  most: number,
  [what, windowMs]: readonly [what: string, windowMs: number],
): Promise<void> {
  if (most === 0) return;
  const { hits, resetsInMs } = await countHit(service, key, windowMs);
  if (hits <= most) return;
  throw new Refusal(429, `More than ${most} ${what}`, {
    code: "too_many_requests",
    headers: { "retry-after": String(Math.max(1, Math.ceil(resetsInMs / 1000))) },
  });
}

/** Hits in the current window, this one included. */
export async function countHit(
  service: Service,
  key: string,
  windowMs: number,
): Promise<{ hits: number; resetsInMs: number }> {
  const now = service.now();
  const startedAt = now - (now % windowMs);
  const row = await service.database.db
    .insertInto("rate_window")
    .values({ key, started_at: startedAt, hits: 1 })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        started_at: startedAt,
        hits: sql`case when rate_window.started_at = ${startedAt} then rate_window.hits + 1 else 1 end`,
      }),
    )
    .returning("hits")
    .executeTakeFirstOrThrow();
  return { hits: row.hits, resetsInMs: startedAt + windowMs - now };
}
