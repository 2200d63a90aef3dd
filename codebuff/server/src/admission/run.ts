import type { Caller } from "../people/callers.ts";
import { Refusal } from "../refusal.ts";

export interface RunningRun {
  readonly id: string;
  readonly agent: string;
}

/** G5: every call belongs to a run of this user that is still going. Another user's run is as good as none. */
export function checkRun(asked: unknown, { runId, runAgent, runStatus }: Caller): RunningRun {
  if (typeof asked !== "string" || asked === "") throw new Refusal(400, "codebuff_metadata.run_id is missing");
  if (runId === null) throw new Refusal(400, `There is no run ${asked.slice(0, 100)}`);
  if (runStatus !== "running") throw new Refusal(400, `The run ${runId} is not running: it is ${runStatus}`);
  return { id: runId, agent: runAgent ?? "" };
}
