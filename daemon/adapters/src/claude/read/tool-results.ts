import type { ItemStatus, Part } from "@muster/schema";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { hunksDiff, lineDiff } from "./diff.ts";
import type { ToolResultBlock, UserLine } from "./native.ts";
import { updatePlan } from "./plan-entries.ts";
import { type Call, type ClaudeState, type ClaudeStep, placeOf } from "./state.ts";
import { endCall } from "./tool-calls.ts";
import { asInput } from "./tools.ts";

/** A result ends its call and is an item of its own, with the files it concerns. */
export function onToolResult(state: ClaudeState, block: ToolResultBlock, line: UserLine): ClaudeStep {
  const callId = block.tool_use_id;
  const call = state.calls.get(callId);
  const isError = block.is_error === true;
  const didNotRun = line.tool_result_meta?.some(({ id, non_execution_kind: why }) => id === callId && why) ?? false;
  const status: ItemStatus = didNotRun ? "cancelled" : isError ? "failed" : "completed";
  const { parentId, background } = placeOf(state, call?.parent ?? line.parent_tool_use_id);
  const content = contentOf(block, isError, call, line.tool_use_result);
  return chain(
    state,
    (before) => endCall(before, callId, status),
    (before) =>
      addItem(before, {
        nativeItemId: `${callId}/result`,
        parentId,
        background,
        kind: "tool_result",
        role: "tool",
        status: isError ? "failed" : "completed",
        content,
      }),
    (before) => (call === undefined || isError ? emit(before) : updatePlan(before, call, line.tool_use_result)),
  );
}

function contentOf(block: ToolResultBlock, isError: boolean, call: Call | undefined, structured: unknown): Part[] {
  const output = outputOf(block);
  const result: Part = {
    type: "tool_result",
    callId: block.tool_use_id,
    output,
    isError,
    exitCode: exitCodeOf(call, output, isError),
    json: jsonOf(call, structured),
  };
  return [result, ...(isError || call === undefined ? [] : filesOf(call, asInput(structured))), ...imagesOf(block)];
}

function outputOf({ content }: ToolResultBlock): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => ("text" in part ? [String(part.text)] : [])).join("\n");
}

function imagesOf({ content }: ToolResultBlock): Part[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const source = "source" in part ? asInput(part.source) : {};
    if (part.type !== "image" || typeof source.media_type !== "string") return [];
    return [{ type: "image", mime: source.media_type, data: textOf(source.data) } as const];
  });
}

function exitCodeOf(call: Call | undefined, output: string, isError: boolean): number | undefined {
  if (call?.name !== "Bash") return undefined;
  if (!isError) return 0;
  const code = /^(?:Error: )?Exit code (\d+)/.exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}

const shownAsFiles = new Set(["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"]);

/** The structured form of what the text says; left out where the text or the files say it all. */
function jsonOf(call: Call | undefined, structured: unknown): unknown {
  if (typeof structured !== "object" || structured === null || shownAsFiles.has(call?.name ?? "")) return undefined;
  return structured;
}

/** Sub-agents have no structured result: the call itself tells which file it was. */
function filesOf({ name, input }: Call, structured: Record<string, unknown>): Part[] {
  const asked = asInput(input);
  const path =
    textOf(structured.filePath) ??
    textOf(asInput(structured.file).filePath) ??
    textOf(asked.file_path) ??
    textOf(asked.notebook_path);
  if (path === undefined) return [];
  switch (name) {
    case "Read":
      return [{ type: "file", path, action: "read" }];
    case "Write": {
      const isNew = structured.type === "create";
      const diff = hunksDiff(structured.structuredPatch) ?? (isNew ? newFile(structured, asked) : undefined);
      return [{ type: "file", path, action: "write", diff }];
    }
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return [{ type: "file", path, action: "patch", diff: hunksDiff(structured.structuredPatch) }];
    default:
      return [];
  }
}

function newFile(structured: Record<string, unknown>, asked: Record<string, unknown>): string {
  return lineDiff("", textOf(structured.content) ?? textOf(asked.content) ?? "");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
