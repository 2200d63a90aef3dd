import { resolve } from "node:path";
import {
  checkToolInput,
  isToolName,
  outputError,
  type ToolCall,
  type ToolInput,
  type ToolOutput,
} from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";

type Fields = Readonly<Record<string, unknown>>;

/** A call as a hook sees it. A call that touches several files is told once for each. */
export interface HookedCall {
  readonly names: readonly string[];
  readonly input: Fields;
  /** What the hook has changed of its input, as our input. Undefined: this call's input cannot be changed. */
  readonly withChanges?: (changed: Fields) => Fields;
}

/** Our calls by the names and fields of Claude Code, for which hooks are written; what it has no name for keeps its own. */
export function hookedCalls({ toolName, input }: ToolCall, root: string): HookedCall[] {
  // What the tool will refuse anyway is no call yet.
  if (isToolName(toolName) && !checkToolInput(toolName, input).ok) return [];
  const absolute = (path: string) => resolve(root, path);
  switch (toolName) {
    case "run_terminal_command": {
      const { command, timeout_seconds: seconds, process_type: type } = input as ToolInput<"run_terminal_command">;
      if (command === undefined) break;
      const timeout = typeof seconds === "number" && seconds > 0 ? { timeout: seconds * 1000 } : {};
      const background = type === "BACKGROUND" ? { run_in_background: true } : {};
      return [
        {
          names: ["Bash", toolName],
          input: { command, ...timeout, ...background },
          withChanges: (changed) => ({ ...input, command: changed.command ?? command }),
        },
      ];
    }
    case "write_file": {
      const { path, content } = input as ToolInput<"write_file">;
      return [
        {
          names: ["Write", toolName],
          input: { file_path: absolute(path), content },
          withChanges: (changed) => ({
            ...input,
            path: changed.file_path === absolute(path) ? path : (changed.file_path ?? path),
            content: changed.content ?? content,
          }),
        },
      ];
    }
    case "str_replace": {
      const { path, replacements } = input as ToolInput<"str_replace">;
      const [only] = replacements;
      const edits = replacements.map(({ old, new: text, allowMultiple }) => ({
        old_string: old,
        new_string: text,
        replace_all: allowMultiple === true,
      }));
      if (replacements.length !== 1 || only === undefined)
        return [{ names: ["MultiEdit", "Edit", toolName], input: { file_path: absolute(path), edits } }];
      return [
        {
          names: ["Edit", toolName],
          input: { file_path: absolute(path), ...edits[0] },
          withChanges: (changed) => ({
            ...input,
            replacements: [{ ...only, old: changed.old_string ?? only.old, new: changed.new_string ?? only.new }],
          }),
        },
      ];
    }
    case "apply_patch":
      return patchedFiles(input).map((path) => ({
        names: ["Edit", "MultiEdit", "Write", toolName],
        input: { file_path: absolute(path) },
      }));
    case "read_files":
      return (input as ToolInput<"read_files">).paths.map((path) => ({
        names: ["Read", toolName],
        input: { file_path: absolute(path) },
      }));
    case "code_search": {
      const { pattern, cwd } = input as ToolInput<"code_search">;
      return [{ names: ["Grep", toolName], input: { pattern, ...(cwd && { path: absolute(cwd) }) } }];
    }
    case "glob": {
      const { pattern, cwd } = input as ToolInput<"glob">;
      return [{ names: ["Glob", toolName], input: { pattern, ...(cwd && { path: absolute(cwd) }) } }];
    }
    case "list_directory":
      return [{ names: ["LS", toolName], input: { path: absolute((input as ToolInput<"list_directory">).path) } }];
    case "read_url":
      return [
        { names: ["WebFetch", toolName], input: { ...input }, withChanges: (changed) => ({ ...input, ...changed }) },
      ];
    case "web_search":
      return [
        { names: ["WebSearch", toolName], input: { ...input }, withChanges: (changed) => ({ ...input, ...changed }) },
      ];
    case "ask_user":
      return [{ names: ["AskUserQuestion", toolName], input: { ...input } }];
  }
  const [server, tool] = toolName.split("__");
  const own = tool === undefined ? [toolName] : [`mcp__${server}__${tool}`, toolName];
  return [{ names: own, input: { ...input }, withChanges: (changed) => ({ ...input, ...changed }) }];
}

/** What a tool gave, in the fields hooks know. */
export function hookedResponse({ toolName }: ToolCall, hooked: HookedCall, output: ToolOutput): unknown {
  const values = output.flatMap((part) => (part.type === "json" ? [part.value] : []));
  const [value] = values;
  if (outputError(output) !== undefined) return { success: false, error: outputError(output) };
  if (toolName === "run_terminal_command" && isRecord(value)) {
    const { stdout = "", stderr = "", exitCode, interrupted = false } = value;
    return { stdout, stderr, exit_code: exitCode, interrupted };
  }
  if (typeof hooked.input.file_path === "string" && toolName !== "read_files")
    return { filePath: hooked.input.file_path, success: true };
  return values.length === 1 ? value : values;
}

/** The files a patch names, in any of its forms. */
function patchedFiles(input: Fields): string[] {
  const { operation } = input as ToolInput<"apply_patch">;
  if (operation.type !== "patch") return [operation.path];
  const named = operation.patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ b\/)(.+)$/gm);
  return [...new Set([...named].map(([, path = ""]) => path.trim()))];
}
