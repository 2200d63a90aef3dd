import { isRecord } from "@muster/core";
import type { Part } from "@muster/schema";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { listed, pathsInPatch } from "../../converter/tools/titles.ts";
import { asInput, toolTable } from "../../converter/tools/tool-table.ts";
import { type ChangedFile, diffOfTexts, unifiedDiff } from "../../converter/tools/unified-diff.ts";
import type { ToolPart } from "./native.ts";

/** OpenCode's tools; others come from MCP servers and plugins. */
const tools = toolTable({
  read: { kind: "read", path: "filePath" },
  list: { kind: "search", path: "path" },
  glob: { kind: "search", subject: "pattern" },
  grep: { kind: "search", subject: "pattern" },
  codesearch: { kind: "search", subject: "query" },
  lsp: { kind: "search", path: "filePath" },
  edit: { kind: "edit", path: "filePath" },
  multiedit: { kind: "edit", path: "filePath" },
  write: { kind: "edit", path: "filePath" },
  patch: { kind: "edit" },
  apply_patch: { kind: "edit" },
  bash: { kind: "execute", subject: "command" },
  // Their names since version 2.
  shell: { kind: "execute", subject: "command" },
  subagent: { kind: "agent", subject: "description" },
  webfetch: { kind: "fetch", subject: "url" },
  websearch: { kind: "fetch", subject: "query" },
  task: { kind: "agent", subject: "description" },
  skill: { kind: "other", subject: "name" },
  todowrite: { kind: "think" },
  todoread: { kind: "think" },
});

export const toolKindOf = tools.kindOf;

export function titleOf(name: string, input: unknown, directory: string): string | undefined {
  const patch = textOf(asInput(input).patchText);
  if (patch !== undefined) return listed(pathsInPatch(patch, directory));
  return tools.titleOf(name, withFilePath(input), directory);
}

/** Calls that go to a sub-agent. */
export const isSubagentTool = (name: string | undefined) => name === "task" || name === "subagent";

/** Version 2 names a file `path`. */
function withFilePath(input: unknown): unknown {
  const { path, filePath } = asInput(input);
  return filePath === undefined && textOf(path) !== undefined ? { ...asInput(input), filePath: path } : input;
}

/** OpenCode's name for a call of a tool that does not exist; the name that was called is in its input. */
export const invalidTool = "invalid";

interface Result {
  output: string;
  isError: boolean;
  exitCode?: number | undefined;
  files: Part[];
}

/** What came of a finished call, and the files it touched. `planned` is the diff its permission was asked with. */
export function resultOf({ tool, state }: ToolPart, directory: string, planned: string | undefined): Result {
  const { status, output = "", error = "", metadata = {} } = state;
  const { exit } = metadata;
  if (status === "error") return { output: error, isError: true, files: [] };
  const exitCode = typeof exit === "number" && Number.isInteger(exit) ? exit : undefined;
  // null is what a command has that was stopped.
  const isError = tool === invalidTool || (exit !== undefined && exit !== 0);
  return { output, isError, exitCode, files: filesOf(tool, state, directory, planned) };
}

function filesOf(
  tool: string,
  { input, metadata = {} }: ToolPart["state"],
  directory: string,
  planned: string | undefined,
): Part[] {
  const { filediff, files, filepath, exists, diff } = metadata;
  const { filePath, content } = asInput(withFilePath(input));
  const named = textOf(filePath);
  if (tool === "read") {
    return named === undefined ? [] : [{ type: "file", path: shownPath(named, directory), action: "read" }];
  }
  if (tool === "write") {
    const written = textOf(filepath) ?? named;
    if (written === undefined) return [];
    const file: ChangedFile = { path: shownPath(written, directory), is: exists === false ? "new" : undefined };
    const told = unifiedDiff(file, textOf(diff) ?? planned ?? "");
    const made = exists === false ? diffOfTexts(file, "", textOf(content) ?? "") : undefined;
    return [{ type: "file", path: file.path, action: "write", diff: told ?? made }];
  }
  if (Array.isArray(files)) return files.flatMap((file) => patchedFile(file, directory));
  if (isRecord(filediff) && textOf(filediff.file) !== undefined) {
    const path = shownPath(textOf(filediff.file) ?? "", directory);
    const native = textOf(filediff.patch) ?? textOf(diff) ?? "";
    return [{ type: "file", path, action: "patch", diff: unifiedDiff({ path }, native) }];
  }
  return [];
}

const kinds = {
  delete: { action: "delete", is: "gone" },
  add: { action: "write", is: "new" },
  update: { action: "patch", is: undefined },
} as const;

/** One file of a patch, done or asked for. */
export function patchedFile(file: unknown, directory: string): Extract<Part, { type: "file" }>[] {
  if (!isRecord(file)) return [];
  const before = textOf(file.filePath) ?? textOf(file.file) ?? textOf(file.relativePath);
  const named = textOf(file.movePath) ?? before;
  if (named === undefined || before === undefined) return [];
  const path = shownPath(named, directory);
  const { action, is } = file.type === "delete" || file.type === "add" ? kinds[file.type] : kinds.update;
  const native = textOf(file.patch) ?? textOf(file.diff) ?? "";
  const diff = unifiedDiff({ path, from: shownPath(before, directory), is }, native);
  return [{ type: "file", path, action, diff }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
