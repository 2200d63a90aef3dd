import { messageOf, redactShapes } from "@muster/core";
import { sql } from "@muster/sql";
import { type Config, providerNames } from "../config.ts";
import type { Database } from "../database/tables.ts";
import { audit } from "../money/ledger/audit.ts";
import type { Tools } from "./command-line.ts";

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

const patienceMs = 5_000;
const mostClockDifferenceMs = 30_000;

/** Exit code 1 when something needs a person. A provider that is off is no fault. */
export async function doctor({ withDatabase, print, config }: Tools): Promise<number> {
  const findings = await withDatabase((database, settings) => examine(database, settings)).catch((error: unknown) => [
    { check: "database", ok: false, detail: redactShapes(messageOf(error)) },
    { check: "configuration", ok: true, detail: redactShapes(config().databaseUrl) },
  ]);
  print(findings.map(({ check, ok, detail }) => ({ check, ok, detail })));
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

async function examine(database: Database, config: Config): Promise<Finding[]> {
  const faults = await audit(database);
  const ledger: Finding[] = faults.map((fault) => ({
    check: "ledger",
    ok: false,
    detail: `${fault.fault}: ${fault.subject} has ${fault.stored}, counted ${fault.counted}`,
  }));
  const providers = await Promise.all(providerNames.map((name) => examineProvider(name, config)));
  return [
    { check: "database", ok: true, detail: database.kind },
    ...(ledger.length > 0 ? ledger : [{ check: "ledger", ok: true, detail: "the audit finds nothing" }]),
    ...providers,
    await examineClock(database),
  ];
}

async function examineProvider(name: (typeof providerNames)[number], config: Config): Promise<Finding> {
  const { baseUrl, apiKey } = config.providers[name];
  const check = `provider ${name}`;
  if (apiKey === undefined) return { check, ok: true, detail: `off: ${name.toUpperCase()}_API_KEY is not set` };
  try {
    const response = await fetch(`${baseUrl}/v1/models`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    return { check, ok: response.ok, detail: `${baseUrl} answers ${response.status}` };
  } catch (error) {
    const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : "";
    return { check, ok: false, detail: redactShapes(`${baseUrl} cannot be reached: ${reason}`) };
  }
}

/** Leases and expiries compare times of several machines, so they have to agree. */
async function examineClock({ db, kind }: Database): Promise<Finding> {
  if (kind === "sqlite") return { check: "clock", ok: true, detail: "one machine, one clock" };
  const before = Date.now();
  const { rows } = await sql<{
    now: string;
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
  const difference = Math.abs(Number(rows[0]?.now) - (before + Date.now()) / 2);
  const detail = `${Math.round(difference)} ms from the database's`;
  return { check: "clock", ok: difference < mostClockDifferenceMs, detail };
}
