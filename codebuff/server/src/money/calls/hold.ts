import { statement } from "@muster/sql";
import type { Connection, Tables } from "../../database/tables.ts";

type Hold = Tables["credit_hold"];

/** Credits set aside for one request, before anything is known of its outcome. */
export interface NewHold {
  readonly requestId: string;
  readonly ownerId: string;
  readonly runId: string | null;
  /** `subscription`: only the block pays, what goes beyond it is waived. */
  readonly scope: Hold["scope"];
  readonly amount: number;
  readonly covered: Hold["covered"];
  /** What it costs in any case once it is dispatched. */
  readonly inputEstimate: number;
  readonly instanceId: string;
  readonly leaseUntil: number;
  /**
   * When the model is called: what is committed here is committed before the provider hears a word, and from then on a request
   * whose server dies costs something. Null for what may be given back.
   */
  readonly dispatchedAt: number | null;
  readonly at: number;
}

export const insertHold = statement((connection: Connection, hold: NewHold) =>
  connection.insertInto("credit_hold").values(holdRow(hold)),
);

function holdRow(hold: NewHold): Hold {
  return {
    request_id: hold.requestId,
    owner_id: hold.ownerId,
    run_id: hold.runId,
    scope: hold.scope,
    amount: hold.amount,
    covered: hold.covered,
    state: "open",
    instance_id: hold.instanceId,
    lease_until: hold.leaseUntil,
    dispatched_at: hold.dispatchedAt,
    input_estimate: hold.inputEstimate,
    output_checkpoint: 0,
    cost: null,
    charged: null,
    waived: null,
    closed_by: null,
    created_at: hold.at,
    closed_at: null,
  };
}
