import type { HandleSteps, StepReply } from "@muster/codebuff-protocol";
import { hidden } from "./calls.ts";
import { callsSince, firstValue, isObject, type Json, type MadeCall, textSince } from "./messages.ts";

const edits = new Set(["str_replace", "write_file", "apply_patch"]);

/** All edits in one response, a second one to mend those that failed; what changed goes back as diffs. */
export const editFiles: HandleSteps = function* ({ agentState }) {
  const start = agentState.messageHistory.length;
  let reply: StepReply = yield "STEP";
  const first = editsSince(reply, start);
  if (first.some(hasFailed)) reply = yield "STEP";
  const message = textSince(reply, start);
  yield hidden("set_output", { message, edits: editsSince(reply, start).map(outcome) });
};

/** As `editFiles`, but nothing is written: the calls that would do it go back with their diffs. */
export const proposeEdits: HandleSteps = function* ({ agentState }) {
  const start = agentState.messageHistory.length;
  let reply: StepReply = yield "STEP";
  if (proposalsSince(reply, start).some(hasFailed)) reply = yield "STEP";
  const made = proposalsSince(reply, start).filter((call) => !hasFailed(call));
  const calls = made.map(({ toolName, input }) => ({ toolName: toolName.replace(/^propose_/, ""), input }));
  const message = textSince(reply, start);
  yield hidden("set_output", { message, calls, edits: made.map(outcome) });
};

function hasFailed({ output }: MadeCall): boolean {
  const value = firstValue(output);
  return !isObject(value) || "errorMessage" in value;
}

/** Which file, and its diff or why not. */
export function outcome({ input, output }: MadeCall): Json {
  const value = firstValue(output);
  if (!isObject(value)) return { file: String(input.path ?? ""), errorMessage: "no result" };
  const { file = input.path ?? "", unifiedDiff, errorMessage, applied } = value;
  if (errorMessage !== undefined) return { file, errorMessage };
  return applied === undefined ? { file, unifiedDiff: unifiedDiff ?? "" } : { applied };
}

function editsSince(reply: StepReply, start: number): MadeCall[] {
  return callsSince(reply, start).filter(({ toolName }) => edits.has(toolName));
}

function proposalsSince(reply: StepReply, start: number): MadeCall[] {
  return callsSince(reply, start).filter(({ toolName }) => toolName.startsWith("propose_"));
}
