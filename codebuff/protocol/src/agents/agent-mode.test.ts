import { expect, test } from "vitest";
import { AgentModeClientMessage, AgentModeServerMessage, emptyAgentState } from "./agent-mode.ts";

const frame = { sessionId: "s1", seq: 1 };

test("both client messages are accepted and come back equal", () => {
  const prompt = { type: "agent_initial_prompt", task: "make tests pass", agentState: emptyAgentState, ...frame };
  const answer = {
    type: "agent_tool_response",
    toolResults: [{ id: "c1", name: "run_terminal_command", result: "ok", status: "running" }],
    agentState: {
      revision: 3,
      messageHistory: [],
      subgoals: { a: { objective: "x", status: "IN_PROGRESS", logs: [] } },
    },
    ...frame,
  };
  expect(AgentModeClientMessage.parse(prompt)).toEqual(prompt);
  expect(AgentModeClientMessage.parse(answer)).toEqual(answer);
});

test("the plain form without numbers and revision is accepted", () => {
  const plain = { type: "agent_initial_prompt", task: "x", agentState: { messageHistory: [] } };
  expect(AgentModeClientMessage.parse(plain)).toEqual({ ...plain, agentState: emptyAgentState });
});

test.each([
  ["no task", { type: "agent_initial_prompt", task: "", agentState: emptyAgentState, ...frame }],
  ["no state", { type: "agent_tool_response", toolResults: [], ...frame }],
  ["a broken state", { type: "agent_initial_prompt", task: "x", agentState: { revision: -1 }, ...frame }],
  ["an unknown type", { type: "prompt", ...frame }],
])("a client message with %s is refused", (_title, message) => {
  expect(AgentModeClientMessage.safeParse(message).success).toBe(false);
});

test("a request to execute names at least one call", () => {
  const request = { type: "agent_request_tool_execution", toolCalls: [], ...frame };
  expect(AgentModeServerMessage.safeParse(request).success).toBe(false);
});
