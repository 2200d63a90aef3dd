import type { PrintModeEvent } from "@muster/codebuff-protocol";
import { expect, it } from "vitest";
import { TextJoiner } from "./join-text.ts";

it("gives one text per block and agent, before what the agent does next, and leaves out what only streams", () => {
  const call: PrintModeEvent = {
    type: "tool_call",
    toolCallId: "1",
    toolName: "glob",
    input: {},
    agentId: "main-agent",
  };
  const childCall: PrintModeEvent = {
    type: "tool_call",
    toolCallId: "2",
    toolName: "glob",
    input: {},
    parentAgentId: "c",
  };
  const finish: PrintModeEvent = { type: "finish", totalCost: 0 };
  const joiner = new TextJoiner();
  const events: PrintModeEvent[] = [
    { type: "text", text: "a", agentId: "main-agent" },
    { type: "reasoning_delta", text: "hm", runId: "r", ancestorRunIds: [] },
    { type: "text", text: "b", agentId: "main-agent" },
    { type: "text", text: "child ", agentId: "c" },
    call,
    { type: "tool_progress", toolCallId: "1", toolName: "glob", output: "…" },
    { type: "text", text: "words", agentId: "c" },
    childCall,
    { type: "text", text: "end", agentId: "main-agent" },
    finish,
  ];
  expect(events.flatMap((event) => joiner.take(event))).toEqual([
    { type: "text", text: "ab", agentId: "main-agent" },
    call,
    { type: "text", text: "child words", agentId: "c" },
    childCall,
    { type: "text", text: "end", agentId: "main-agent" },
    finish,
  ]);
});
