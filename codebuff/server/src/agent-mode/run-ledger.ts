import { randomUUID } from "node:crypto";
import { creditsOf, type Ledger } from "@muster/codebuff-runtime";
import { errorFields } from "../log.ts";
import { finishRun, startRun } from "../people/runs.ts";
import type { Service } from "../service.ts";

export interface RunLedger extends Ledger {
  /** Resolves when everything said so far is written. */
  drain(): Promise<void>;
}

/** START, steps and FINISH of agent mode, as rows. Nothing is written for a client that is gone: it comes back. */
export function runLedger(userId: string, isGone: () => boolean, service: Service): RunLedger {
  const writes = new Set<Promise<void>>();
  const write = (work: () => Promise<unknown>) => {
    if (isGone()) return;
    const done = work()
      .then(() => {})
      .catch((error: unknown) => service.log("error", "a step of agent mode was not recorded", errorFields(error)))
      .finally(() => writes.delete(done));
    writes.add(done);
  };
  return {
    async start({ agentType, ancestorRunIds }) {
      return { runId: await startRun(service, { userId, agentId: agentType, ancestors: ancestorRunIds }) };
    },
    step: (runId, step) =>
      write(async () => {
        const { db } = service.database;
        // The state a client sends names the run it is in: another's is as good as none.
        const own = db.selectFrom("agent_run").select("id").where("id", "=", runId).where("user_id", "=", userId);
        if ((await own.executeTakeFirst()) === undefined) return;
        await db
          .insertInto("agent_step")
          .values({
            id: randomUUID(),
            run_id: runId,
            step_number: step.stepNumber,
            credits: creditsOf(step.cost),
            child_run_ids: JSON.stringify(step.childRunIds),
            message_id: step.messageId,
            status: step.status,
            error_message: step.errorMessage ?? null,
            started_at: step.startTime,
            created_at: service.now(),
          })
          .onConflict((conflict) => conflict.columns(["run_id", "step_number"]).doNothing())
          .execute();
      }),
    finish: (runId, { status, totalSteps, direct, total, errorMessage }) =>
      write(() =>
        finishRun(service, userId, {
          action: "FINISH",
          runId,
          status,
          totalSteps,
          directCredits: creditsOf(direct),
          totalCredits: creditsOf(total),
          errorMessage,
        }),
      ),
    async drain() {
      await Promise.all(writes);
    },
  };
}
