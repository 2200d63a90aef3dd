import type { AgentModeCall, AgentModeResult, Subgoal, ToolInput } from "@muster/codebuff-protocol";
import { closingTag, type XmlPiece } from "../xml/call-reader.ts";
import { readXmlInput } from "../xml/parameters.ts";
import { memoryFault } from "./memory.ts";
import { addSubgoal, updateSubgoal } from "./subgoals.ts";

export interface SortedCalls {
  readonly forClient: AgentModeCall[];
  /** Of the calls that are done already: subgoals, and what could not be read. */
  readonly results: AgentModeResult[];
  readonly subgoals: Record<string, Subgoal>;
  readonly ended: boolean;
}

/** Who has to do what: subgoals are changed here, faulty calls get their error, the others are the client's. */
export function sortCalls(
  pieces: readonly XmlPiece[],
  before: Readonly<Record<string, Subgoal>>,
  newId: () => string,
): SortedCalls {
  const forClient: AgentModeCall[] = [];
  const results: AgentModeResult[] = [];
  let subgoals = { ...before };
  let ended = false;
  for (const piece of pieces) {
    if (piece.type === "text") continue;
    const id = newId();
    const fail = (name: string, result: string) => results.push({ id, name, status: "error", result });
    const succeed = (name: string, result: string) => results.push({ id, name, status: "completed", result });
    const refusal = refusalOf(piece);
    if (refusal !== undefined) {
      fail(refusal.name, refusal.message);
      continue;
    }
    const call = piece.type === "call" ? readXmlInput(piece) : undefined;
    if (call?.ok !== true) continue;
    switch (call.name) {
      case "end_turn":
        ended = true;
        break;
      case "add_subgoal":
        subgoals = addSubgoal(subgoals, call.input as ToolInput<"add_subgoal">);
        succeed(call.name, `Subgoal ${call.input.id} added`);
        break;
      case "update_subgoal":
        subgoals = updateSubgoal(subgoals, call.input as ToolInput<"update_subgoal">);
        succeed(call.name, `Subgoal ${call.input.id} updated`);
        break;
      default:
        forClient.push({ id, name: call.name, params: call.input });
    }
  }
  return { forClient, results, subgoals, ended };
}

/** Why a call is not run at all: it is not whole, not at its place, not readable, or too long for memory. */
export function refusalOf(
  piece: Exclude<XmlPiece, { type: "text" }>,
): { name: string; params: AgentModeCall["params"]; message: string } | undefined {
  const { name } = piece;
  switch (piece.type) {
    case "unclosed":
      return { name, params: {}, message: `The call was not finished: ${closingTag(name)} is missing` };
    case "misplaced":
      return { name, params: {}, message: "The call was not run: a call must begin on a line of its own" };
    case "call": {
      const call = readXmlInput(piece);
      if (!call.ok) return { name: call.name, params: {}, message: call.errorMessage };
      const message = memoryFault({ params: call.input });
      return message === undefined ? undefined : { name: call.name, params: call.input, message };
    }
  }
}
