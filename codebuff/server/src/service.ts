import type { Config } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { OpenCalls } from "./gateway/open-calls.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { CallTracer } from "./telemetry.ts";

/** What every room of the server is given. Whatever matters is in the database; here is only what this process does now. */
export interface Service {
  readonly config: Config;
  readonly database: Database;
  /** This process, as holder of leases. */
  readonly instanceId: string;
  readonly calls: OpenCalls;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer: CallTracer | undefined;
  now(): number;
}
