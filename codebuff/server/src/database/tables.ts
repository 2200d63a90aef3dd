import type { Connection as ConnectionTo, Database as DatabaseOf } from "@muster/sql";

/** Times are milliseconds; `never` is the time that does not come; yes and no are 1 and 0. */
export const never = Number.MAX_SAFE_INTEGER;

type Yes = 0 | 1;
export type GrantKind =
  | "subscription"
  | "free"
  | "referral_legacy"
  | "ad"
  | "referral"
  | "admin"
  | "organization"
  | "purchase";
export type HoldState = "open" | "settled" | "released";
export type RunStatus = "running" | "completed" | "failed" | "cancelled";

export interface Tables {
  user: {
    id: string;
    email: string;
    role: "user" | "admin";
    banned: Yes;
    /** Spend other credits when the subscription's block or week is used up. */
    fallback_to_credits: Yes;
    free_units_per_month: number;
    next_quota_reset: number;
    created_at: number;
  };
  /** Whatever proves who somebody is; only the hash of the secret is kept. */
  session: {
    id: string;
    token_hash: string;
    user_id: string;
    kind: "web" | "cli" | "pat";
    name: string;
    fingerprint_id: string | null;
    created_at: number;
    expires_at: number;
  };
  cli_login: {
    id: string;
    code: string;
    fingerprint_id: string;
    secret_hash: string;
    address: string;
    state: "waiting" | "approved" | "denied" | "taken";
    user_id: string | null;
    shows_code: Yes;
    last_poll_at: number;
    created_at: number;
    expires_at: number;
  };
  rate_window: { key: string; started_at: number; hits: number };
  secret: { name: string; value: string };
  credit_account: { owner_id: string; balance: number; held: number; version: number };
  credit_grant: {
    id: string;
    owner_id: string;
    kind: GrantKind;
    priority: number;
    principal: number;
    remaining: number;
    expires_at: number;
    created_at: number;
  };
  credit_hold: {
    request_id: string;
    owner_id: string;
    run_id: string | null;
    scope: "all" | "subscription";
    amount: number;
    covered: Yes;
    state: HoldState;
    instance_id: string;
    lease_until: number;
    dispatched_at: number | null;
    /** What the request costs at least once it is dispatched, and what has come back so far: for a crash. */
    input_estimate: number;
    output_checkpoint: number;
    cost: number | null;
    charged: number | null;
    waived: number | null;
    closed_by: string | null;
    created_at: number;
    closed_at: number | null;
  };
  credit_entry: {
    operation_id: string;
    grant_id: string;
    owner_id: string;
    kind: "grant" | "charge" | "expire" | "repay";
    amount: number;
    at: number;
  };
  subscription: {
    owner_id: string;
    tier: string;
    started_at: number;
    ends_at: number;
    units_per_block: number;
    units_per_week: number;
  };
  agent_run: {
    id: string;
    user_id: string;
    agent_id: string;
    publisher: string | null;
    agent_name: string;
    agent_version: string | null;
    ancestor_run_ids: string;
    root_run_id: string;
    parent_run_id: string | null;
    depth: number;
    status: RunStatus;
    billed_units: number;
    total_steps: number | null;
    direct_credits: number | null;
    total_credits: number | null;
    error_message: string | null;
    created_at: number;
    last_call_at: number;
    finished_at: number | null;
  };
  agent_step: {
    id: string;
    run_id: string;
    step_number: number;
    credits: number;
    child_run_ids: string;
    message_id: string | null;
    status: "running" | "completed" | "skipped";
    error_message: string | null;
    started_at: number;
    created_at: number;
  };
  /** One per model call that was paid for, or would have been. */
  message: {
    id: string;
    user_id: string;
    run_id: string | null;
    client_id: string | null;
    model: string;
    provider: string;
    service_id: string | null;
    input_tokens: number;
    cached_input_tokens: number;
    output_tokens: number;
    reasoning_tokens: number;
    cost_nano_dollars: number | null;
    /** Where the cost comes from: the service, the price table, an estimate, nowhere. */
    cost_from: string;
    units: number;
    credits_shown: number;
    own_key: Yes;
    free: Yes;
    outcome: string;
    created_at: number;
    finished_at: number;
  };
  publisher: { id: string; name: string; user_id: string; created_at: number };
  agent_config: {
    publisher_id: string;
    id: string;
    version: string;
    major: number;
    minor: number;
    patch: number;
    data: string;
    created_at: number;
  };
  agent_mode_state: {
    user_id: string;
    session_id: string;
    revision: number;
    epoch: number;
    last_seq: number;
    attempt: number;
    run_id: string | null;
    open_calls: string | null;
    last_reply: string | null;
    state: string;
    updated_at: number;
  };
  feedback: { id: string; user_id: string; body: string; created_at: number };
}

/** The server's database: its tables, on either kind. */
export type Database = DatabaseOf<Tables>;

/** A connection to them, inside or outside of a transaction. */
export type Connection = ConnectionTo<Tables>;
