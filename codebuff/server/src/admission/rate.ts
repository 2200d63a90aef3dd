import { sql } from "@muster/sql";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

const minute = 60_000;

/** G2b: requests a minute per key, off unless configured. The windows are rows, so all instances count together. */
export async function limitRate(sessionId: string, service: Service): Promise<void> {
  const { requestsPerMinute } = service.config;
  if (requestsPerMinute === 0) return;
  const left = await countHit(service, `key:${sessionId}`, minute);
  if (left.hits <= requestsPerMinute) return;
  throw new Refusal(429, `More than ${requestsPerMinute} requests in a minute`, {
    code: "too_many_requests",
    headers: { "retry-after": String(Math.max(1, Math.ceil(left.resetsInMs / 1000))) },
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
