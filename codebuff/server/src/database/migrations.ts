import type { DatabaseKind, Migration } from "@muster/sql";

/** In order, each run once. A landed one is never changed: a change is a new one below. */
export const migrations: readonly Migration[] = [
  { name: "0001 people and their proofs", statements: () => people },
  { name: "0002 money", statements: (kind) => [...money, ...appendOnly[kind]] },
  { name: "0003 runs and calls", statements: () => runs },
  { name: "0004 agents", statements: () => agents },
];

const people = [
  `create table "user" (
    id text primary key, email text not null unique, role text not null, banned int not null check (banned in (0, 1)),
    fallback_to_credits int not null check (fallback_to_credits in (0, 1)), free_units_per_month bigint not null,
    next_quota_reset bigint not null, created_at bigint not null)`,
  `create table session (
    id text primary key, token_hash text not null unique, user_id text not null references "user" (id),
    kind text not null check (kind in ('web', 'cli', 'pat')), name text not null, fingerprint_id text,
    created_at bigint not null, expires_at bigint not null)`,
  "create index session_of_user on session (user_id)",
  `create table cli_login (
    id text primary key, code text not null, fingerprint_id text not null, secret_hash text not null, address text not null,
    state text not null check (state in ('waiting', 'approved', 'denied', 'taken')), user_id text references "user" (id),
    shows_code int not null check (shows_code in (0, 1)), last_poll_at bigint not null, created_at bigint not null,
    expires_at bigint not null)`,
  "create index cli_login_of_secret on cli_login (secret_hash)",
  `create table rate_window (key text primary key, started_at bigint not null, hits bigint not null)`,
  `create table secret (name text primary key, value text not null)`,
];

const money = [
  `create table credit_account (
    owner_id text primary key, balance bigint not null, held bigint not null check (held >= 0), version bigint not null)`,
  `create table credit_grant (
    id text primary key, owner_id text not null references credit_account (owner_id), kind text not null,
    priority int not null, principal bigint not null check (principal > 0),
    remaining bigint not null check (remaining <= principal), expires_at bigint not null, created_at bigint not null,
    check (kind <> 'subscription' or remaining >= 0))`,
  `create index credit_grant_in_order on credit_grant (owner_id, priority, expires_at, created_at, id) where remaining <> 0`,
  `create unique index credit_grant_one_debt on credit_grant (owner_id) where remaining < 0`,
  `create table credit_hold (
    request_id text primary key, owner_id text not null references credit_account (owner_id), run_id text,
    scope text not null check (scope in ('all', 'subscription')), amount bigint not null check (amount >= 0),
    covered int not null check (covered in (0, 1)), state text not null check (state in ('open', 'settled', 'released')),
    instance_id text not null, lease_until bigint not null, dispatched_at bigint,
    input_estimate bigint not null check (input_estimate >= 0),
    output_checkpoint bigint not null check (output_checkpoint >= 0),
    cost bigint, charged bigint, waived bigint, closed_by text, created_at bigint not null, closed_at bigint,
    check (cost = charged + waived), check ((state = 'open') = (closed_at is null)))`,
  `create unique index credit_hold_one_uncovered on credit_hold (owner_id) where state = 'open' and covered = 0`,
  `create index credit_hold_leases on credit_hold (lease_until) where state = 'open'`,
  `create index credit_hold_of_owner on credit_hold (owner_id, closed_at)`,
  `create table credit_entry (
    operation_id text not null, grant_id text not null references credit_grant (id), owner_id text not null,
    kind text not null check (kind in ('grant', 'charge', 'expire', 'repay')), amount bigint not null check (amount <> 0),
    at bigint not null, primary key (operation_id, grant_id))`,
  "create index credit_entry_of_grant on credit_entry (grant_id)",
  `create table subscription (
    owner_id text primary key references credit_account (owner_id), tier text not null, started_at bigint not null,
    ends_at bigint not null, units_per_block bigint not null, units_per_week bigint not null)`,
];

const appendOnly: Readonly<Record<DatabaseKind, readonly string[]>> = {
  sqlite: ["update", "delete"].map(
    (change) => `create trigger credit_entry_no_${change} before ${change} on credit_entry
      begin select raise(abort, 'credit_entry is append-only'); end`,
  ),
  postgres: [
    `create function credit_entry_is_append_only() returns trigger language plpgsql as
      $$ begin raise exception 'credit_entry is append-only'; end $$`,
    `create trigger credit_entry_append_only before update or delete on credit_entry
      for each row execute function credit_entry_is_append_only()`,
  ],
};

const runs = [
  `create table agent_run (
    id text primary key, user_id text not null references "user" (id), agent_id text not null, publisher text,
    agent_name text not null, agent_version text, ancestor_run_ids text not null, root_run_id text not null,
    parent_run_id text, depth int not null,
    status text not null check (status in ('running', 'completed', 'failed', 'cancelled')), billed_units bigint not null,
    total_steps int, direct_credits double precision, total_credits double precision, error_message text,
    created_at bigint not null, last_call_at bigint not null, finished_at bigint)`,
  "create index agent_run_of_user on agent_run (user_id, created_at)",
  "create index agent_run_running on agent_run (last_call_at) where status = 'running'",
  `create table agent_step (
    id text primary key, run_id text not null references agent_run (id), step_number int not null,
    credits double precision not null, child_run_ids text not null, message_id text,
    status text not null check (status in ('running', 'completed', 'skipped')), error_message text,
    started_at bigint not null, created_at bigint not null, unique (run_id, step_number))`,
  `create table message (
    id text primary key, user_id text not null references "user" (id), run_id text, client_id text, model text not null,
    provider text not null, service_id text, input_tokens bigint not null, cached_input_tokens bigint not null,
    output_tokens bigint not null, reasoning_tokens bigint not null, cost_nano_dollars bigint, cost_from text not null,
    units bigint not null, credits_shown bigint not null, own_key int not null, free int not null, outcome text not null,
    created_at bigint not null, finished_at bigint not null)`,
  "create index message_of_run on message (run_id)",
  "create index message_of_user on message (user_id, created_at)",
  `create table feedback (
    id text primary key, user_id text not null references "user" (id), body text not null, created_at bigint not null)`,
];

const agents = [
  `create table publisher (
    id text primary key, name text not null, user_id text not null references "user" (id), created_at bigint not null)`,
  `create table agent_config (
    publisher_id text not null references publisher (id), id text not null, version text not null, major int not null,
    minor int not null, patch int not null, data text not null, created_at bigint not null,
    primary key (publisher_id, id, version))`,
  `create table agent_mode_state (
    user_id text not null references "user" (id), session_id text not null, revision bigint not null,
    epoch bigint not null, last_seq bigint not null, attempt int not null, run_id text, open_calls text, last_reply text,
    state text not null, updated_at bigint not null, primary key (user_id, session_id))`,
];
