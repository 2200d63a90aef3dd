import type { Part } from "@muster/schema";
import { chain, emit } from "../../converter/steps.ts";
import { callOutcome } from "../../converter/tools/call-outcome.ts";
import type { Signal } from "../../signals.ts";
import type { ToolPart } from "../wire/native.ts";
import { type OpencodeState, type OpencodeStep, type OpenPart, withoutPart, withPart } from "../wire/state.ts";
import { invalidTool, isSubagentTool, resultOf } from "../wire/tools.ts";
import { callPart, itemOf, parentOf } from "./items.ts";

export function updateTool(state: OpencodeState, part: ToolPart): OpencodeStep {
  return chain(
    state,
    (now) => (now.parts.has(part.id) ? emit(now) : startCall(now, part)),
    (now) => growCall(now, part),
    (now) => endCall(now, part),
  );
}

function startCall(state: OpencodeState, part: ToolPart): OpencodeStep {
  const itemId = `item_${state.nextItem}`;
  const parentId = parentOf(state, part.sessionID);
  const { sessionID, messageID, callID } = part;
  const isKnown = part.state.status !== "pending" && part.tool !== invalidTool;
  const call = { callId: callID, name: part.tool, inputTold: isKnown, input: isKnown ? part.state.input : {} };
  const open: OpenPart = { itemId, parentId, sessionID, messageID, kind: "tool_call", told: "", call };
  const item = itemOf(open, part.id, "in_progress", [callPart(state, open)]);
  const next = { ...state, nextItem: state.nextItem + 1 };
  return emit(withPart(next, part.id, open), { type: "item.started", data: { item } });
}

function growCall(state: OpencodeState, part: ToolPart): OpencodeStep {
  let open = state.parts.get(part.id);
  if (open?.call === undefined || part.state.status === "pending") return emit(state);
  const bodies: Signal[] = [];
  const { input = {}, metadata = {} } = part.state;
  if (!open.call.inputTold && part.tool !== invalidTool) {
    open = { ...open, call: { ...open.call, inputTold: true, input } };
    const data = { itemId: open.itemId, index: 0, part: "input", delta: JSON.stringify(input) } as const;
    bodies.push({ type: "item.delta", data });
  }
  if (typeof metadata.output === "string" && part.state.status === "running") {
    const more = metadata.output.startsWith(open.told) ? metadata.output.slice(open.told.length) : "";
    if (more !== "") {
      bodies.push({ type: "item.delta", data: { itemId: open.itemId, index: 0, part: "output", delta: more } });
    }
    open = { ...open, told: metadata.output };
  }
  const { sessionId } = metadata;
  if (isSubagentTool(part.tool) && typeof sessionId === "string" && open.call) {
    open = { ...open, call: { ...open.call, child: sessionId } };
  }
  return emit(withPart(state, part.id, open), ...bodies);
}

function endCall(state: OpencodeState, part: ToolPart): OpencodeStep {
  const open = state.parts.get(part.id);
  const { status } = part.state;
  if (open?.call === undefined || (status !== "completed" && status !== "error")) return emit(state);
  const { output, exitCode, files, ...ended } = resultOf(part, state.settings.directory, open.call.planned);
  const outcome = callOutcome({ ...ended, exitCode, isCancelled: wasStopped(state, part) });
  const call = itemOf(open, part.id, outcome.status, [callPart(state, open)]);
  const itemId = `item_${state.nextItem}`;
  const { parentId } = open;
  const head = { itemId, parentId, kind: "tool_result", role: "tool" } as const;
  const { callId } = open.call;
  const result: Part = { type: "tool_result", callId, output, isError: outcome.isError, exitCode };
  return emit(
    { ...withoutPart(state, part.id), nextItem: state.nextItem + 1 },
    { type: "item.completed", data: { item: call } },
    { type: "item.started", data: { item: { ...head, status: "in_progress", content: [] } } },
    { type: "item.completed", data: { item: { ...head, status: outcome.status, content: [result, ...files] } } },
  );
}

/** OpenCode calls a call failed that was aborted or refused, and a command completed that an abort has killed. */
function wasStopped({ turn }: OpencodeState, { state: { status, error = "", metadata = {} } }: ToolPart): boolean {
  if (status === "error") return metadata.interrupted === true || stops.some((words) => error.startsWith(words));
  return metadata.exit === null && turn?.interrupting === true;
}

const stops = ["Tool execution aborted", "The user rejected permission", "The user dismissed this question"];
