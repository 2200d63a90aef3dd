import { errorOutput, type RunAgentState, type ToolCall, type ToolOutput } from "@muster/codebuff-protocol";
import { z } from "zod";
import type { AgentRun } from "../agent-run.ts";
import { checkInput } from "./check-input.ts";

/** How often a missing or wrong output is asked for again. */
const outputFaultsForgiven = 3;

/** Sets the output if it fits the agent's schema, as a whole or under `data`. A wrong one forces another step. */
export function setOutput(run: AgentRun, input: ToolCall["input"]): ToolOutput {
  const schema = outputSchema(run);
  const candidates: unknown[] = [input, ...("data" in input ? [input.data] : [])];
  let reason = "";
  for (const candidate of schema === undefined ? candidates.reverse() : candidates) {
    const checked = checkInput(schema ?? anything, candidate);
    if (checked.ok) {
      run.memory.output = checked.input as RunAgentState["output"];
      return [{ type: "json", value: { message: "Output set" } }];
    }
    reason ||= checked.errorMessage;
  }
  run.memory.outputFaults++;
  return errorOutput(`The output does not fit its schema: ${reason}. Call set_output again.`);
}

/** Whether the agent owes an output that has not come. */
export function isOutputMissing({ agent, memory }: AgentRun): boolean {
  const { outputMode, outputSchema } = agent.definition;
  return outputMode === "structured_output" && outputSchema !== undefined && memory.output === undefined;
}

export function mayTryOutputAgain({ memory }: AgentRun): boolean {
  return memory.outputFaults <= outputFaultsForgiven;
}

const anything = z.record(z.string(), z.json());
const schemas = new WeakMap<object, z.ZodType | undefined>();

/** A schema zod cannot read is not checked; the journal says so once. */
function outputSchema({ agent, tree }: AgentRun): z.ZodType | undefined {
  const { outputSchema: schema, id } = agent.definition;
  if (schema === undefined) return undefined;
  if (schemas.has(schema)) return schemas.get(schema);
  let read: z.ZodType | undefined;
  try {
    read = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    tree.ports.log.warn(`The output schema of ${id} cannot be checked: ${String(error)}`);
  }
  schemas.set(schema, read);
  return read;
}
