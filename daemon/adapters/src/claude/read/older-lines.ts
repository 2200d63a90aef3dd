import { messageItem } from "../../converter/message-item.ts";
import { addItem, chain } from "../../converter/steps.ts";
import { asInput } from "../../converter/tools/tool-table.ts";
import { unparsed } from "../../converter/unparsed.ts";
import type { ClaudeState, ClaudeStep } from "../wire/state.ts";
import type { LineHandler } from "./line-handler.ts";
import { onResult } from "./on-result.ts";

/** One-shot calls of old answered with the text alone: a message, and all there is of the turn. */
export function onPlainText(state: ClaudeState, text: string): ClaudeStep {
  return chain(
    state,
    (before) => addItem(before, messageItem({ what: "text", text, status: "completed" })),
    (before) => onResult({ ...before, turn: { ...before.turn, hasSpoken: true } }, {}),
  );
}

/** Blocks that stand alone, as `{"type":"tool_use","tool_use":{…}}` or with their fields beside the type. */
export function onBlockLine(type: "assistant" | "user", onMessage: LineHandler): LineHandler {
  return (state, line) => {
    const { tool_use, tool_result, ...block } = asInput(line);
    const isOrphan = type === "user" && state.unnamed.length === 0;
    const made = isOrphan ? { tool_use_id: `unnamed_${state.nextItem}` } : {};
    const content = [{ ...made, ...block, ...asInput(tool_use ?? tool_result) }];
    return asItCame(line, onMessage(state, { type, message: { id: `line_${state.nextItem}`, content } }));
  };
}

/** Calls without an id are given one, and results without one belong to the oldest such call that has none. */
export function nameCalls(onMessage: LineHandler): LineHandler {
  return (state, line) => {
    const { message } = asInput(line);
    const { content } = asInput(message);
    if (!Array.isArray(content) || !content.some(isUnnamed)) return onMessage(state, line);
    const unnamed = [...state.unnamed];
    const blocks = content.map((block, index) => {
      if (!isUnnamed(block)) return block;
      if (block.type === "tool_result") return { ...block, tool_use_id: unnamed.shift() };
      const id = `unnamed_${state.nextItem}_${index}`;
      unnamed.push(id);
      return { ...block, id };
    });
    const named = { ...asInput(line), message: { ...asInput(message), content: blocks } };
    return asItCame(line, onMessage({ ...state, unnamed }, named));
  };
}

/** What is not understood is kept as the agent wrote it. */
function asItCame(raw: unknown, step: ClaudeStep): ClaudeStep {
  const bodies = step.bodies.map((body) =>
    body.type === "agent.unparsed" ? unparsed(raw, body.data.error, body.data.location) : body,
  );
  return { ...step, bodies };
}

function isUnnamed(block: unknown): block is { type: string } {
  const { type, id, tool_use_id } = asInput(block);
  return (type === "tool_use" && id === undefined) || (type === "tool_result" && tool_use_id === undefined);
}
