import type { Part } from "@muster/schema";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { callOutcome } from "../../converter/tools/call-outcome.ts";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";
import { diffOfHunks, diffOfPieces, diffOfTexts } from "../../converter/tools/unified-diff.ts";
import type { ToolResultBlock, UserLine } from "../wire/native.ts";
import { type Call, type ClaudeState, type ClaudeStep, placeOf } from "../wire/state.ts";
import { updatePlan } from "./plan-entries.ts";
import { endCall } from "./tool-calls.ts";

type ResultPlace = Pick<UserLine, "parent_tool_use_id" | "tool_use_result" | "tool_result_meta">;

/** A result ends its call and is an item of its own, with the files it concerns. */
export function onToolResult(state: ClaudeState, block: ToolResultBlock, line: ResultPlace): ClaudeStep {
  const callId = block.tool_use_id;
  const call = state.calls.get(callId);
  const didNotRun = line.tool_result_meta?.some(({ id, non_execution_kind: why }) => id === callId && why) ?? false;
  const isCancelled = didNotRun || (block.is_error === true && interruptedEnd.test(outputOf(block)));
  const { status, isError } = callOutcome({ isCancelled, isError: block.is_error === true });
  const { parentId, background } = placeOf(state, call?.parent ?? line.parent_tool_use_id);
  const content = contentOf(state, block, { isError, call, structured: line.tool_use_result });
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
        status,
        content,
      }),
    (before) => (call === undefined || isError ? emit(before) : updatePlan(before, call, line.tool_use_result)),
  );
}

/** The last words of a tool that was stopped. What a tool printed before may hold the same words. */
const interruptedEnd = /(?:^|\n)\[Request interrupted by user[^\]\n]*\]\s*$/;

function contentOf(
  { directory }: ClaudeState,
  block: ToolResultBlock,
  { isError, call, structured }: { isError: boolean; call: Call | undefined; structured: unknown },
): Part[] {
  const output = outputOf(block);
  const result: Part = {
    type: "tool_result",
    callId: block.tool_use_id,
    output,
    isError,
    exitCode: exitCodeOf(call, output, isError),
    json: jsonOf(call, structured),
  };
  return [
    result,
    ...(isError || call === undefined ? [] : filesOf(call, asInput(structured), directory)),
    ...imagesOf(block),
  ];
}

function outputOf({ content, is_error: isError }: ToolResultBlock): string {
  const texts = typeof content === "string" ? [content] : (content ?? []).flatMap(textIn);
  const output = texts.join("\n");
  return isError === true ? (refusedCall.exec(output)?.[1] ?? output) : output;
}

function textIn(part: object): string[] {
  return "text" in part ? [String(part.text)] : [];
}

/** Tags and a kind of error around what Claude says of a call it did not make: they are for the model. */
const refusedCall = /^<tool_use_error>(?:\w*Error: )?(.*)<\/tool_use_error>$/s;

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
function filesOf({ name, input }: Call, structured: Record<string, unknown>, directory: string | undefined): Part[] {
  const asked = asInput(input);
  const named =
    textOf(structured.filePath) ??
    textOf(asInput(structured.file).filePath) ??
    textOf(asked.file_path) ??
    textOf(asked.notebook_path);
  if (named === undefined) return [];
  const path = shownPath(named, directory);
  switch (name) {
    case "Read":
      return [{ type: "file", path, action: "read" }];
    case "Write": {
      const is = structured.type === "create" ? "new" : undefined;
      const content = textOf(structured.content) ?? textOf(asked.content) ?? "";
      const diff =
        diffOfHunks({ path, is }, structured.structuredPatch) ??
        (is === "new" ? diffOfTexts({ path, is }, "", content) : undefined);
      return [{ type: "file", path, action: "write", diff }];
    }
    case "Edit":
    case "MultiEdit": {
      const diff = diffOfHunks({ path }, structured.structuredPatch) ?? diffOfEdit(path, asked);
      return [{ type: "file", path, action: "patch", diff }];
    }
    case "NotebookEdit":
      return [{ type: "file", path, action: "patch", diff: diffOfNotebook(path, structured) }];
    default:
      return [];
  }
}

function diffOfEdit(path: string, { old_string: before, new_string: after }: Record<string, unknown>) {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  return diffOfPieces({ path }, before, after);
}

function diffOfNotebook(path: string, { original_file: before, updated_file: after }: Record<string, unknown>) {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  return diffOfTexts({ path }, before, after);
}
