import { AgentRunsBody } from "@muster/codebuff-protocol";
import { refuseBanned } from "../admission/ban.ts";
import { knowUser } from "../admission/user.ts";
import { finishRun, startRun } from "../people/runs.ts";
import { type Call, readChecked } from "./answer.ts";

/** START and FINISH. The first FINISH wins; a repeated one is answered alike. */
export async function agentRuns({ request, service }: Call): Promise<object> {
  const user = await knowUser(request.headers, service);
  const body = await readChecked({ request, service }, AgentRunsBody);
  if (body.action === "START") {
    refuseBanned(user);
    return {
      runId: await startRun(service, { userId: user.id, agentId: body.agentId, ancestors: body.ancestorRunIds }),
    };
  }
  await finishRun(service, user.id, body);
  return { success: true };
}
