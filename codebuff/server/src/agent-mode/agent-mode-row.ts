import { AgentState, emptyAgentState } from "@muster/codebuff-protocol";
import { sql } from "@muster/sql";
import type { Database } from "../database/tables.ts";

export interface SessionKey {
  readonly userId: string;
  readonly sessionId: string;
}

/** What is kept of a client's agent between its messages. Whoever connects last owns it: the epoch says who that is. */
export interface AgentModeRow {
  readonly epoch: number;
  readonly revision: number;
  readonly lastSeq: number;
  readonly attempt: number;
  readonly state: AgentState;
  /** The messages that ended the last turn of work: sent again to a client that missed them. */
  readonly lastReply: readonly string[] | undefined;
}

/** Takes the session over; an older connection finds out at its next write. */
export async function claim({ db }: Database, { userId, sessionId }: SessionKey, at: number): Promise<AgentModeRow> {
  const row = await db
    .insertInto("agent_mode_state")
    .values({
      user_id: userId,
      session_id: sessionId,
      revision: 0,
      epoch: 1,
      last_seq: 0,
      attempt: 0,
      run_id: null,
      open_calls: null,
      last_reply: null,
      state: JSON.stringify(emptyAgentState),
      updated_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "session_id"])
        .doUpdateSet({ epoch: sql`agent_mode_state.epoch + 1`, updated_at: at }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return {
    epoch: row.epoch,
    revision: row.revision,
    lastSeq: row.last_seq,
    attempt: row.attempt,
    state: AgentState.parse(JSON.parse(row.state)),
    lastReply: row.last_reply === null ? undefined : (JSON.parse(row.last_reply) as string[]),
  };
}

/** A message is being worked on. Undefined when the session belongs to a newer connection. */
export async function begin(
  database: Database,
  key: SessionKey,
  row: AgentModeRow,
  { seq, at }: { seq: number; at: number },
): Promise<AgentModeRow | undefined> {
  const attempt = seq === row.lastSeq ? row.attempt + 1 : 0;
  const { numUpdatedRows } = await updateIfOwned(database, key, row)
    .set({ last_seq: seq, attempt, open_calls: null, last_reply: null, updated_at: at })
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : { ...row, lastSeq: seq, attempt, lastReply: undefined };
}

/** The outcome is kept before the client hears of it. Undefined when the session belongs to a newer connection. */
export async function keep(
  database: Database,
  key: SessionKey,
  row: AgentModeRow,
  { state, reply, at }: { state: AgentState; reply: readonly string[]; at: number },
): Promise<AgentModeRow | undefined> {
  const { numUpdatedRows } = await updateIfOwned(database, key, row)
    .set({
      revision: state.revision,
      run_id: state.run?.id ?? null,
      open_calls: state.open === undefined ? null : JSON.stringify(state.open.calls),
      last_reply: JSON.stringify(reply),
      state: JSON.stringify(state),
      updated_at: at,
    })
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : { ...row, revision: state.revision, state, lastReply: reply };
}

/** Nothing is written for a connection that is no longer the newest, nor over a state it has not seen. */
function updateIfOwned({ db }: Database, { userId, sessionId }: SessionKey, { epoch, revision }: AgentModeRow) {
  return db
    .updateTable("agent_mode_state")
    .where("user_id", "=", userId)
    .where("session_id", "=", sessionId)
    .where("epoch", "=", epoch)
    .where("revision", "=", revision);
}
