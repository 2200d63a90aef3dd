import type { Connection, Database, HoldState } from "../../database/tables.ts";
import { expireGrants } from "../grants/expire.ts";
import { changeAccount, lockAccount } from "../ledger/account.ts";
import { holdCovered } from "./covered-hold.ts";
import { insertHold, type NewHold } from "./hold.ts";

export interface Reservation extends Omit<NewHold, "amount" | "covered"> {
  /** What the request may cost at most; 0 when nobody pays for it. */
  readonly estimate: number;
}

export type Reserved =
  | { readonly kind: "held"; readonly amount: number; readonly covered: boolean }
  | { readonly kind: "known"; readonly state: HoldState }
  | { readonly kind: "no credits" }
  | { readonly kind: "credits held" };

/**
 * Sets credits aside before a model is called. At most one open request of an account may be larger than what is left, so
 * debt is never more than the cost of that one.
 */
export async function reserve(database: Database, asked: Reservation): Promise<Reserved> {
  if (await holdCovered(database, asked)) return { kind: "held", amount: asked.estimate, covered: true };
  return database.transaction(asked.ownerId, (connection) => holdWhatIsLeft(connection, asked));
}

/** The whole recipe, for whoever is known, has too little, or has credits that expire. */
async function holdWhatIsLeft(connection: Connection, asked: Reservation): Promise<Reserved> {
  const locked = await lockAccount(connection, asked.ownerId);
  const known = await connection
    .selectFrom("credit_hold")
    .select("state")
    .where("request_id", "=", asked.requestId)
    .executeTakeFirst();
  if (known) return { kind: "known", state: known.state };
  const account = await expireGrants(connection, locked, asked.at);
  const amount = Math.min(asked.estimate, account.balance - account.held);
  const covered = asked.estimate === 0 || amount === asked.estimate;
  if (!covered) {
    if (account.balance <= 0) return { kind: "no credits" };
    if (amount <= 0 || (await hasUncoveredHold(connection, asked.ownerId))) return { kind: "credits held" };
  }
  const held = asked.estimate === 0 ? 0 : amount;
  await insertHold(connection, { ...asked, amount: held, covered: covered ? 1 : 0 });
  if (held > 0) await changeAccount(connection, account, { held });
  return { kind: "held", amount: held, covered };
}

async function hasUncoveredHold(connection: Connection, ownerId: string): Promise<boolean> {
  const row = await connection
    .selectFrom("credit_hold")
    .select("request_id")
    .where("owner_id", "=", ownerId)
    .where("state", "=", "open")
    .where("covered", "=", 0)
    .executeTakeFirst();
  return row !== undefined;
}
