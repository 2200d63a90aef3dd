import type { Part } from "@muster/schema";
import type { OutputPart, ToolResultLine } from "./native.ts";

/** What a result tells: the output as text, the files it concerns, pictures. */
export function outputParts(
  { toolCallId: callId, toolName, output }: ToolResultLine,
  input: Record<string, unknown> = {},
): Part[] {
  const values = valuesOf(output);
  const error = errorOf(output);
  const isError = error !== undefined;
  const result: Part = {
    type: "tool_result",
    callId,
    output: error ?? textOf(values),
    isError,
    exitCode: exitCodeOf(values),
    json: jsonOf(toolName, values),
  };
  return [result, ...(isError ? [] : filesOf(toolName, values, input)), ...imagesOf(output)];
}

const shownAsText = new Set(["read_files", "write_file", "str_replace", "apply_patch", "run_terminal_command"]);

/** The structured form of what the text says; left out where the text or the files say it all. */
function jsonOf(toolName: string, values: readonly unknown[]): unknown {
  if (shownAsText.has(toolName) || values.every((value) => typeof value === "string")) return undefined;
  return values.length === 1 ? values[0] : values;
}

/** The reason of a failure: a part with `errorMessage`. */
export function errorOf(output: readonly OutputPart[]): string | undefined {
  for (const value of valuesOf(output)) {
    if (isRecord(value) && typeof value.errorMessage === "string") return value.errorMessage;
  }
  return undefined;
}

export function valuesOf(output: readonly OutputPart[]): unknown[] {
  return output.flatMap((part) => (part.type === "json" && "value" in part ? [part.value] : []));
}

/** What a person would want to read of it: the streams of a command, the message of an edit, else all of it. */
function textOf(values: readonly unknown[]): string {
  return values.map(readable).join("\n");
}

function readable(value: unknown): string {
  if (typeof value === "string") return value;
  if (isRecord(value)) {
    const { stdout, stderr, output, message } = value;
    const streams = [stdout, stderr, output].filter((one): one is string => typeof one === "string" && one !== "");
    if (streams.length > 0) return streams.join("\n");
    if (typeof message === "string") return message;
    if (typeof stdout === "string" || typeof output === "string") return "";
  }
  return JSON.stringify(value) ?? "";
}

function exitCodeOf(values: readonly unknown[]): number | undefined {
  for (const value of values) {
    if (isRecord(value) && Number.isInteger(value.exitCode)) return value.exitCode as number;
  }
  return undefined;
}

const edits: Readonly<Record<string, "write" | "patch">> = {
  write_file: "write",
  create_plan: "write",
  str_replace: "patch",
  apply_patch: "patch",
};

function filesOf(toolName: string, values: readonly unknown[], input: Record<string, unknown>): Part[] {
  if (toolName === "read_files") return readFiles(values);
  const action = Object.hasOwn(edits, toolName) ? edits[toolName] : undefined;
  if (action === undefined) return [];
  return values.flatMap((value): Part[] => {
    if (!isRecord(value)) return [];
    if (Array.isArray(value.applied)) return value.applied.flatMap(appliedFile);
    const path = typeof value.file === "string" ? value.file : input.path;
    if (typeof path !== "string") return [];
    return [{ type: "file", path, action, diff: textField(value, "unifiedDiff") ?? textField(value, "patch") }];
  });
}

/** One file of a patch. */
function appliedFile(value: unknown): Part[] {
  if (!isRecord(value)) return [];
  const path = textField(value, "file") ?? textField(value, "path");
  if (path === undefined) return [];
  const verb = textField(value, "action") ?? textField(value, "type");
  const action = verb === "delete" ? "delete" : verb === "add" ? "write" : "patch";
  return [{ type: "file", path, action, diff: textField(value, "unifiedDiff") }];
}

/** What is not there or not to be read has a word in brackets for its content. */
function readFiles(values: readonly unknown[]): Part[] {
  const files = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  return files.flatMap((file): Part[] => {
    if (!isRecord(file) || typeof file.path !== "string" || typeof file.content !== "string") return [];
    return /^\[[A-Z_]+\]$/.test(file.content) ? [] : [{ type: "file", path: file.path, action: "read" }];
  });
}

function imagesOf(output: readonly OutputPart[]): Part[] {
  return output.flatMap((part): Part[] =>
    part.type === "media" && "mediaType" in part && typeof part.data === "string"
      ? [{ type: "image", mime: String(part.mediaType), data: part.data }]
      : [],
  );
}

function textField(record: Record<string, unknown>, field: string): string | undefined {
  const value = record[field];
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
