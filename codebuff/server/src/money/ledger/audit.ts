import { sql } from "@muster/sql";
import type { Database } from "../../database/tables.ts";

export interface AuditFault {
  readonly fault: string;
  readonly subject: string;
  readonly stored: number;
  readonly counted: number;
}

/** What must never be: every row is money that was lost or made up. An empty answer is the only good one. */
export async function audit({ db }: Database): Promise<AuditFault[]> {
  const { rows } = await sql<AuditFault>`
    with grants as (select owner_id, cast(sum(remaining) as bigint) as units from credit_grant group by owner_id),
      entries as (select owner_id, cast(sum(amount) as bigint) as units from credit_entry group by owner_id),
      holds as (select owner_id, cast(sum(amount) as bigint) as units from credit_hold where state = 'open' group by owner_id),
      grant_entries as (select grant_id, cast(sum(amount) as bigint) as units from credit_entry group by grant_id),
      charges as (select operation_id, cast(-sum(amount) as bigint) as units from credit_entry where kind = 'charge'
        group by operation_id),
      calls as (select run_id, cast(sum(units) as bigint) as units from message where run_id is not null group by run_id)
    select 'balance is not the sum of its grants' as fault, a.owner_id as subject, a.balance as stored,
      coalesce(g.units, 0) as counted
      from credit_account a left join grants g on g.owner_id = a.owner_id where a.balance <> coalesce(g.units, 0)
    union all select 'balance is not the sum of its entries', a.owner_id, a.balance, coalesce(e.units, 0)
      from credit_account a left join entries e on e.owner_id = a.owner_id where a.balance <> coalesce(e.units, 0)
    union all select 'held is not the sum of open holds', a.owner_id, a.held, coalesce(h.units, 0)
      from credit_account a left join holds h on h.owner_id = a.owner_id where a.held <> coalesce(h.units, 0)
    union all select 'grant is not the sum of its entries', g.id, g.remaining, coalesce(e.units, 0)
      from credit_grant g left join grant_entries e on e.grant_id = g.id where g.remaining <> coalesce(e.units, 0)
    union all select 'hold is not the sum of its charges', h.request_id, coalesce(h.charged, 0), coalesce(c.units, 0)
      from credit_hold h left join charges c on c.operation_id = 'charge:' || h.request_id
      where coalesce(h.charged, 0) <> coalesce(c.units, 0)
    union all select 'charge without a hold', c.operation_id, 0, c.units
      from charges c left join credit_hold h on c.operation_id = 'charge:' || h.request_id where h.request_id is null
    union all select 'debt beside credit', d.owner_id, d.remaining, c.remaining
      from credit_grant d join credit_grant c on c.owner_id = d.owner_id and c.remaining > 0 where d.remaining < 0
    union all select 'run is not the sum of its calls', r.id, r.billed_units, coalesce(c.units, 0)
      from agent_run r left join calls c on c.run_id = r.id where r.billed_units <> coalesce(c.units, 0)
    union all select 'call is not what was charged', m.id, m.units, coalesce(h.charged, 0)
      from message m left join credit_hold h on h.request_id = m.id where m.units <> coalesce(h.charged, 0)
  `.execute(db);
  return rows;
}
