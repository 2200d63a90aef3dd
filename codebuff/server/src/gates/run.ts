import type { Run } from "../people/runs.ts";
import { Refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** G5: every call belongs to a run of this user that is still going. Another user's run is as good as none. */
export async function findRun(runId: unknown, userId: string, { database }: Service): Promise<Run> {
  if (typeof runId !== "string" || runId === "") {
    throw new Refusal(400, "codebuff_metadata.run_id is missing");
  }
  const run = await database.db
    .selectFrom("agent_run")
    .selectAll()
    .where("id", "=", runId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!run) throw new Refusal(400, `There is no run ${runId.slice(0, 100)}`);
  if (run.status !== "running") throw new Refusal(400, `The run ${run.id} is not running: it is ${run.status}`);
  return run;
}
