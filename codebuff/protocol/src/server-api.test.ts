import { expect, test } from "vitest";
import { AgentRunsBody } from "./server-api.ts";

test("START and FINISH are told apart by their action; what else stands in them passes", () => {
  expect(AgentRunsBody.parse({ action: "START", agentId: "base2", later: 1 })).toEqual({
    action: "START",
    agentId: "base2",
    ancestorRunIds: [],
    later: 1,
  });
  expect(AgentRunsBody.safeParse({ action: "FINISH", runId: "r" }).success).toBe(false);
});
