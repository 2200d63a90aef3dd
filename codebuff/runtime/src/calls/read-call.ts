import { isToolName, type ToolCall, toolTable } from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";
import type { AgentRun } from "../agent-run.ts";
import { matchAgent, shortName } from "../children/agent-names.ts";
import { checkInput } from "./check-input.ts";
import { readArguments } from "./repair-json.ts";

/** A call that is ready to run, or one that is answered with why it cannot. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly repaired: readonly string[];
  readonly refusal: { readonly code: "unknown_tool" | "bad_arguments"; readonly message: string } | undefined;
}

/** Reads what a model called: arguments mended and checked, an agent's name rewritten to `spawn_agents`. */
export function readCall(run: AgentRun, toolName: string, text: string): ReadCall {
  const toolCallId = run.tree.ports.clock.newId("call");
  const read = readArguments(text);
  const repaired = read?.repaired ?? [];
  const input = isRecord(read?.value) ? (read.value as Json) : {};
  const refuse = (code: "unknown_tool" | "bad_arguments", message: string): ReadCall => {
    return { call: { toolCallId, toolName, input }, repaired, refusal: { code, message } };
  };
  const isTool = run.usable.has(toolName);
  const agentId = isTool ? undefined : matchAgent(toolName, run.spawnable.keys());
  if (agentId === undefined && !isTool) return refuse("unknown_tool", unknownTool(run, toolName));
  if (!isRecord(read?.value)) {
    const reason = read === undefined ? "the arguments are not JSON" : "the arguments are not an object";
    return refuse("bad_arguments", `Invalid input for ${toolName}: ${reason}: ${text.slice(0, 200)}`);
  }
  if (agentId !== undefined) {
    const request = { agent_type: shortName(agentId), ...input };
    return checkCall(toolCallId, "spawn_agents", { agents: [request] }, repaired, refuse);
  }
  return checkCall(toolCallId, toolName, input, repaired, refuse);
}

type Refuse = (code: "bad_arguments", message: string) => ReadCall;

function checkCall(
  toolCallId: string,
  toolName: string,
  input: Json,
  repaired: readonly string[],
  refuse: Refuse,
): ReadCall {
  if (!isToolName(toolName)) return { call: { toolCallId, toolName, input }, repaired, refusal: undefined };
  const result = checkInput(toolTable[toolName].input, input);
  if (!result.ok) return refuse("bad_arguments", `Invalid input for ${toolName}: ${result.errorMessage}`);
  const call = { toolCallId, toolName, input: result.input as Json };
  return { call, repaired: [...repaired, ...result.repaired], refusal: undefined };
}

function unknownTool({ usable, spawnable }: AgentRun, toolName: string): string {
  const names = [...usable, ...[...spawnable.keys()].map(shortName)];
  return `There is no tool "${toolName}" here. Available: ${names.join(", ") || "none"}`;
}

type Json = ToolCall["input"];
