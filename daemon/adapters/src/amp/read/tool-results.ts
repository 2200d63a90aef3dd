import { parseJson } from "@muster/core";
import type { Part } from "@muster/schema";
import { z } from "zod";
import { addItem, chain, emit } from "../../converter/steps.ts";
import { callOutcome } from "../../converter/tools/call-outcome.ts";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { asInput, textOf } from "../../converter/tools/tool-table.ts";
import { unifiedDiff } from "../../converter/tools/unified-diff.ts";
import type { ToolResultBlock, UserLine } from "../wire/native.ts";
import { type AmpState, type AmpStep, type Call, parentItem } from "../wire/state.ts";
import { askedDiff } from "../wire/tools.ts";
import { updatePlan } from "./plan-entries.ts";
import { endCall, endCallsOf } from "./tool-calls.ts";

/** A result ends its call and is an item of its own, with the files it concerns. */
export function onToolResult(state: AmpState, block: ToolResultBlock, line: UserLine): AmpStep {
  const callId = block.tool_use_id;
  const call = state.calls.get(callId);
  const told = textOfResult(block);
  const ended = resultOf(call, told, { isError: block.is_error === true, directory: state.directory });
  const isCancelled = block.is_error === true && /^Tool execution (rejected|cancelled)/.test(told);
  const { status, isError } = callOutcome({ ...ended, isError: block.is_error === true, isCancelled });
  const parentId = parentItem(state, call?.parent ?? line.parent_tool_use_id);
  return chain(
    state,
    (before) => endCallsOf(before, callId),
    (before) => endCall(before, callId, status),
    (before) =>
      addItem(before, {
        nativeItemId: `${callId}/result`,
        parentId,
        kind: "tool_result",
        role: "tool",
        status,
        content: [
          { type: "tool_result", callId, output: ended.output, isError, exitCode: ended.exitCode },
          ...(ended.file === undefined ? [] : [ended.file]),
        ],
      }),
    (before) => (call === undefined || isError ? emit(before) : updatePlan(before, call)),
  );
}

function textOfResult({ content }: ToolResultBlock): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
}

const CommandResult = z.object({ output: z.string(), exitCode: z.int().optional() });
const ReadResult = z.object({ absolutePath: z.string(), content: z.string() });
const EditResult = z.object({ diff: z.string() });

interface Result {
  output: string;
  exitCode?: number | undefined;
  file?: Part;
}

/** Most results are JSON in a string; what is not in the form of its tool is told as it came. */
function resultOf(
  call: Call | undefined,
  told: string,
  { isError, directory }: { isError: boolean; directory: string | undefined },
): Result {
  const asked = asInput(call?.input);
  const named = textOf(asked.path);
  const path = named === undefined ? undefined : shownPath(named, directory);
  const json = parseJson(told);
  switch (call?.name) {
    case "Bash":
    case "shell_command": {
      const ran = CommandResult.safeParse(json);
      return ran.success ? ran.data : { output: told };
    }
    case "Read": {
      const read = ReadResult.safeParse(json);
      if (!read.success) return { output: told };
      const { content: output, absolutePath } = read.data;
      return { output, file: { type: "file", path: shownPath(absolutePath, directory), action: "read" } };
    }
    case "edit_file":
    case "undo_edit": {
      const edit = EditResult.safeParse(json);
      const output = edit.success ? withoutFence(edit.data.diff) : told;
      if (path === undefined || isError) return { output };
      const diff = unifiedDiff({ path }, output) ?? askedDiff(call.name, asked, path);
      return { output, file: { type: "file", path, action: "patch", diff } };
    }
    case "create_file": {
      if (path === undefined || isError) return { output: told };
      return { output: told, file: { type: "file", path, action: "write", diff: askedDiff(call.name, asked, path) } };
    }
    default:
      return { output: told };
  }
}

function withoutFence(diff: string): string {
  return diff.replace(/^```diff\n/, "").replace(/\n?```\s*$/, "");
}
