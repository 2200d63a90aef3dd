import { randomUUID } from "node:crypto";
import type { AgentRunsBody } from "@muster/codebuff-protocol";
import type { Tables } from "../database/tables.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

export type Run = Tables["agent_run"];

export interface NewRun {
  readonly userId: string;
  /** `name`, `publisher/name` or `publisher/name@version`. */
  readonly agentId: string;
  readonly ancestors: readonly string[];
}

export async function startRun({ database, now }: Service, asked: NewRun): Promise<string> {
  const run = newRun({ ...asked, id: randomUUID(), at: now() });
  await database.write((connection) => connection.insertInto("agent_run").values(run).execute());
  return run.id;
}

/** The row of a run that begins. */
export function newRun({ id, userId, agentId, ancestors, at }: NewRun & { id: string; at: number }): Run {
  return {
    id,
    user_id: userId,
    agent_id: agentId,
    ...partsOf(agentId),
    ancestor_run_ids: JSON.stringify(ancestors),
    root_run_id: ancestors[0] ?? id,
    parent_run_id: ancestors.at(-1) ?? null,
    depth: ancestors.length,
    status: "running",
    billed_units: 0,
    total_steps: null,
    direct_credits: null,
    total_credits: null,
    error_message: null,
    created_at: at,
    last_call_at: at,
    finished_at: null,
  };
}

type Finish = Extract<AgentRunsBody, { action: "FINISH" }>;

/** A run of somebody else is as good as none. */
export async function finishRun({ database, now }: Service, userId: string, asked: Finish): Promise<void> {
  const { db } = database;
  const { numUpdatedRows } = await db
    .updateTable("agent_run")
    .set({
      status: asked.status,
      total_steps: asked.totalSteps,
      direct_credits: asked.directCredits,
      total_credits: asked.totalCredits,
      error_message: asked.errorMessage?.slice(0, 10_000) ?? null,
      finished_at: now(),
    })
    .where("id", "=", asked.runId)
    .where("user_id", "=", userId)
    .where("status", "=", "running")
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const known = await db
    .selectFrom("agent_run")
    .select("id")
    .where("id", "=", asked.runId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!known) throw new Refusal(404, `There is no run ${asked.runId.slice(0, 100)}`);
}

const silenceMs = 24 * 60 * 60 * 1000;

/** Runs nobody has heard of for a day have failed. */
export async function failSilentRuns({ database, now }: Service): Promise<number> {
  const { numUpdatedRows } = await database.db
    .updateTable("agent_run")
    .set({ status: "failed", error_message: "No call for 24 hours", finished_at: now() })
    .where("status", "=", "running")
    .where("last_call_at", "<", now() - silenceMs)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

function partsOf(agentId: string): Pick<Run, "publisher" | "agent_name" | "agent_version"> {
  const [, publisher, name = agentId, version] = /^(?:([^/@]+)\/)?([^/@]+)(?:@(.+))?$/.exec(agentId) ?? [];
  return { publisher: publisher ?? null, agent_name: name, agent_version: version ?? null };
}
