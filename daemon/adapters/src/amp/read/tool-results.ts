import type { ItemStatus, Part } from "@muster/schema";
import { z } from "zod";
import { addItem, chain, emit } from "../../converter/steps.ts";
import type { ToolResultBlock, UserLine } from "./native.ts";
import { updatePlan } from "./plan-entries.ts";
import { type AmpState, type AmpStep, type Call, parentItem } from "./state.ts";
import { endCall, endCallsOf } from "./tool-calls.ts";
import { asInput, textOf } from "./tools.ts";

/** A result ends its call and is an item of its own, with the files it concerns. */
export function onToolResult(state: AmpState, block: ToolResultBlock, line: UserLine): AmpStep {
  const callId = block.tool_use_id;
  const call = state.calls.get(callId);
  const isError = block.is_error === true;
  const told = textOfResult(block);
  const didNotRun = isError && /^Tool execution (rejected|cancelled)/.test(told);
  const status: ItemStatus = didNotRun ? "cancelled" : isError ? "failed" : "completed";
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
        status: isError ? "failed" : "completed",
        content: contentOf(call, told, { callId, isError }),
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

/** Most results are JSON in a string; what is not in the form of its tool is told as it came. */
function contentOf(call: Call | undefined, told: string, result: { callId: string; isError: boolean }): Part[] {
  const plain = (output: string, exitCode?: number): Part => ({ type: "tool_result", ...result, output, exitCode });
  const path = textOf(asInput(call?.input).path);
  const json = parseJson(told);
  switch (call?.name) {
    case "Bash":
    case "shell_command": {
      const ran = CommandResult.safeParse(json);
      return [ran.success ? plain(ran.data.output, ran.data.exitCode) : plain(told)];
    }
    case "Read": {
      const read = ReadResult.safeParse(json);
      if (!read.success) return [plain(told)];
      return [plain(read.data.content), { type: "file", path: read.data.absolutePath, action: "read" }];
    }
    case "edit_file":
    case "undo_edit": {
      const edit = EditResult.safeParse(json);
      const diff = edit.success ? withoutFence(edit.data.diff) : undefined;
      const file: Part[] = path === undefined || result.isError ? [] : [{ type: "file", path, action: "patch", diff }];
      return [plain(diff ?? told), ...file];
    }
    case "create_file":
      return path === undefined || result.isError
        ? [plain(told)]
        : [plain(told), { type: "file", path, action: "write" }];
    default:
      return [plain(told)];
  }
}

function withoutFence(diff: string): string {
  return diff.replace(/^```diff\n/, "").replace(/\n?```\s*$/, "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Plain words.
    return undefined;
  }
}
