import { AgentRunsBody } from "@muster/codebuff-protocol";
import { knowUser } from "../admission/user.ts";
import { finishRun, startRun } from "../people/runs.ts";
import { type Call, readChecked } from "./answer.ts";

/** START and FINISH. The first FINISH wins; a repeated one is answered alike. */
export async function agentRuns({ request, service }: Call): Promise<object> {
  const { headers } = request;
  const body = await readChecked({ request, service }, AgentRunsBody);
  const user = await knowUser(headers, service);
  if (body.action === "START") {
    return {
      runId: await startRun(service, { userId: user.id, agentId: body.agentId, ancestors: body.ancestorRunIds }),
    };
  }
  await finishRun(service, user.id, body);
  return { success: true };
}
