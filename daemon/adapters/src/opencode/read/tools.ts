import { isAbsolute, join } from "node:path";
import type { Part, ToolKind } from "@muster/schema";
import { isObject, type ToolPart } from "./native.ts";

/** OpenCode's tools → what they are to anybody. Others come from MCP servers and plugins. */
const toolKinds: Readonly<Record<string, ToolKind>> = {
  read: "read",
  list: "search",
  glob: "search",
  grep: "search",
  codesearch: "search",
  lsp: "search",
  edit: "edit",
  multiedit: "edit",
  write: "edit",
  patch: "edit",
  apply_patch: "edit",
  bash: "execute",
  webfetch: "fetch",
  websearch: "fetch",
  task: "agent",
  todowrite: "think",
  todoread: "think",
};

export function toolKindOf(name: string): ToolKind {
  return Object.hasOwn(toolKinds, name) ? (toolKinds[name] ?? "other") : "other";
}

/** OpenCode's name for a call of a tool that does not exist; the name that was called is in its input. */
export const invalidTool = "invalid";

/** The result of a finished call, and the files it touched. */
export function resultParts({ tool, callID, state }: ToolPart, directory: string): Part[] {
  const { status, output = "", error = "", metadata = {} } = state;
  const { exit } = metadata;
  // null is what a command has that was stopped.
  const failed = status === "error" || tool === invalidTool || (exit !== undefined && exit !== 0);
  const exitCode = typeof exit === "number" && Number.isInteger(exit) ? exit : undefined;
  const result: Part = {
    type: "tool_result",
    callId: callID,
    output: status === "error" ? error : output,
    isError: failed,
    exitCode,
  };
  return status === "error" ? [result] : [result, ...filesOf(tool, state, directory)];
}

function filesOf(tool: string, { input, metadata = {} }: ToolPart["state"], directory: string): Part[] {
  const { filediff, files, filepath, diff } = metadata;
  const path = isObject(input) ? textOf(input.filePath) : undefined;
  const whole = (name: string) => (isAbsolute(name) ? name : join(directory, name));
  if (tool === "read") return path === undefined ? [] : [{ type: "file", path: whole(path), action: "read" }];
  if (tool === "write") {
    const written = textOf(filepath) ?? path;
    return written === undefined ? [] : [{ type: "file", path: whole(written), action: "write", diff: textOf(diff) }];
  }
  if (Array.isArray(files)) {
    return files.flatMap((file): Part[] => {
      const name = isObject(file)
        ? (textOf(file.filePath) ?? textOf(file.file) ?? textOf(file.relativePath))
        : undefined;
      if (!isObject(file) || name === undefined) return [];
      const action = file.type === "delete" ? "delete" : file.type === "add" ? "write" : "patch";
      const patch = textOf(file.patch) ?? textOf(file.diff);
      return [{ type: "file", path: whole(name), action, diff: patch }];
    });
  }
  if (isObject(filediff) && textOf(filediff.file) !== undefined) {
    const name = whole(textOf(filediff.file) ?? "");
    return [{ type: "file", path: name, action: "patch", diff: textOf(filediff.patch) ?? textOf(diff) }];
  }
  return [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
