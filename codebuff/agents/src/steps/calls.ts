import type { StepToolCall } from "@muster/codebuff-protocol";

/** A call that stands in the agent's history like one of its model. */
export function call(toolName: string, input: StepToolCall["input"]): StepToolCall {
  return { toolName, input };
}

/** A call that leaves no trace in the agent's history. */
export function hidden(toolName: string, input: StepToolCall["input"]): StepToolCall {
  return { toolName, input, includeToolCall: false };
}
