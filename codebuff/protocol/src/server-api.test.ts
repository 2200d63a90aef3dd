import { expect, test } from "vitest";
import { AgentRunsBody, readGateError } from "./server-api.ts";

test.each([
  [
    { error: "account_suspended", message: "No" },
    { code: "account_suspended", message: "No" },
  ],
  [{ message: "No" }, { code: undefined, message: "No" }],
  [{ error: { message: "No", code: "c" } }, { code: "c", message: "No" }],
  [
    { error: { message: "inner", code: null }, message: "outer" },
    { code: undefined, message: "outer" },
  ],
  ["<html>", {}],
  [null, {}],
])("the error in %j", (body, expected) => {
  expect(readGateError(body)).toEqual(expected);
});

test("START and FINISH are told apart by their action; what else stands in them passes", () => {
  expect(AgentRunsBody.parse({ action: "START", agentId: "base2", later: 1 })).toEqual({
    action: "START",
    agentId: "base2",
    ancestorRunIds: [],
    later: 1,
  });
  expect(AgentRunsBody.safeParse({ action: "FINISH", runId: "r" }).success).toBe(false);
});
