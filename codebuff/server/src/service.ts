import type { OpenCalls } from "./completions/open-calls.ts";
import type { Config } from "./config.ts";
import type { Database } from "./database/tables.ts";
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
  readonly times: Times;
  now(): number;
}

export interface Times {
  /** A comment between the frames of a silent stream. */
  readonly heartbeatMs: number;
  /** A client that takes nothing for this long counts as gone. */
  readonly stalledMs: number;
  /** Once the client is gone the provider has this long to tell what was used. */
  readonly lastWordsMs: number;
  /** Two of these that a socket does not answer, and it is ended. */
  readonly pingMs: number;
  /** How often it is looked whether somebody with an open call was banned. */
  readonly banMs: number;
  /** A body that takes longer to come is given up. */
  readonly bodyMs: number;
}
