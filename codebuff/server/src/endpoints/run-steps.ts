import { randomUUID } from "node:crypto";
import { RunStepBody } from "@muster/codebuff-protocol";
import { knowUser } from "../admission/user.ts";
import { Refusal } from "../refusal.ts";
import { type Call, readChecked } from "./answer.ts";

/** Records a step. The same step of the same run again answers the same id and changes nothing. */
export async function runSteps({ request, params, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const body = await readChecked({ request, service }, RunStepBody);
  const { db } = service.database;
  const runId = params.id ?? "";
  const run = await db.selectFrom("agent_run").select("user_id").where("id", "=", runId).executeTakeFirst();
  if (!run) throw new Refusal(404, `There is no run ${runId.slice(0, 100)}`);
  if (run.user_id !== user.id) throw new Refusal(403, "The run belongs to somebody else");
  const at = service.now();
  await db
    .insertInto("agent_step")
    .values({
      id: randomUUID(),
      run_id: runId,
      step_number: body.stepNumber,
      credits: body.credits ?? 0,
      child_run_ids: JSON.stringify(body.childRunIds ?? []),
      message_id: body.messageId ?? null,
      status: body.status,
      error_message: body.errorMessage?.slice(0, 10_000) ?? null,
      started_at: body.startTime === undefined ? at : Date.parse(body.startTime),
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(["run_id", "step_number"]).doNothing())
    .execute();
  const step = await db
    .selectFrom("agent_step")
    .select("id")
    .where("run_id", "=", runId)
    .where("step_number", "=", body.stepNumber)
    .executeTakeFirstOrThrow();
  return { stepId: step.id };
}
