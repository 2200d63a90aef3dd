import { isRecord } from "@muster/core";
import type { Part } from "@muster/schema";
import { shownPath } from "../../converter/tools/shown-path.ts";
import { type ChangedFile, diffOfPieces, diffOfTexts, unifiedDiff } from "../../converter/tools/unified-diff.ts";
import type { OutputPart, ToolResultLine } from "../wire/native.ts";

interface Told {
  /** Of the call. */
  input?: Record<string, unknown> | undefined;
  isError: boolean;
  directory: string | undefined;
}

/** What a result tells: the output as text, the files it concerns, pictures. */
export function outputParts(
  { toolCallId: callId, toolName, output }: ToolResultLine,
  { input = {}, isError, directory }: Told,
): Part[] {
  const values = valuesOf(output);
  const error = errorOf(output);
  const result: Part = {
    type: "tool_result",
    callId,
    output: error ?? readableText(values),
    isError,
    exitCode: exitCodeOf(output),
    json: jsonOf(toolName, values),
  };
  return [result, ...(isError ? [] : filesOf(toolName, values, { input, directory })), ...imagesOf(output)];
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
export function readableText(values: readonly unknown[]): string {
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

export function exitCodeOf(output: readonly OutputPart[]): number | undefined {
  for (const value of valuesOf(output)) {
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

interface Place {
  input: Record<string, unknown>;
  directory: string | undefined;
}

function filesOf(toolName: string, values: readonly unknown[], place: Place): Part[] {
  if (toolName === "read_files") return readFiles(values, place.directory);
  const action = Object.hasOwn(edits, toolName) ? edits[toolName] : undefined;
  if (action === undefined) return [];
  return values.flatMap((value): Part[] => {
    if (!isRecord(value)) return [];
    if (Array.isArray(value.applied)) return value.applied.flatMap((file) => appliedFile(file, place.directory));
    const named = typeof value.file === "string" ? value.file : place.input.path;
    if (typeof named !== "string") return [];
    const is = textField(value, "message")?.startsWith("Created") ? "new" : undefined;
    const file: ChangedFile = { path: shownPath(named, place.directory), is };
    const told = textField(value, "unifiedDiff") ?? textField(value, "patch");
    const diff = told === undefined ? askedDiff(file, place.input) : toldDiff(file, told);
    return [{ type: "file", path: file.path, action, diff }];
  });
}

/** The original gives the whole text of a new file where it gives a diff of others. */
function toldDiff(file: ChangedFile, told: string): string | undefined {
  return unifiedDiff(file, told) ?? (file.is === "new" ? diffOfTexts(file, "", told) : undefined);
}

/** What an edit does, as far as its input tells it. */
function askedDiff(file: ChangedFile, { content, replacements }: Record<string, unknown>): string | undefined {
  if (typeof content === "string") return diffOfPieces(file, "", content);
  const pieces = Array.isArray(replacements) ? replacements.filter(isRecord) : [];
  const joined = (field: string) => pieces.map((piece) => textField(piece, field) ?? "").join("\n");
  return pieces.length === 0 ? undefined : diffOfPieces(file, joined("old"), joined("new"));
}

const changes: Readonly<Record<string, Pick<ChangedFile, "is"> & { action: "write" | "patch" | "delete" }>> = {
  add: { action: "write", is: "new" },
  delete: { action: "delete", is: "gone" },
};

/** One file of a patch. */
function appliedFile(value: unknown, directory: string | undefined): Part[] {
  if (!isRecord(value)) return [];
  const named = textField(value, "file") ?? textField(value, "path");
  if (named === undefined) return [];
  const verb = textField(value, "action") ?? textField(value, "type") ?? "";
  const { action, is } = Object.hasOwn(changes, verb) ? (changes[verb] ?? patched) : patched;
  const before = textField(value, "from");
  const from = before === undefined ? undefined : shownPath(before, directory);
  const file: ChangedFile = { path: shownPath(named, directory), from, is };
  return [{ type: "file", path: file.path, action, diff: toldDiff(file, textField(value, "unifiedDiff") ?? "") }];
}

const patched = { action: "patch", is: undefined } as const;

/** What is not there or not to be read has a word in brackets for its content. */
function readFiles(values: readonly unknown[], directory: string | undefined): Part[] {
  const files = values.flatMap((value) => (Array.isArray(value) ? value : [value]));
  return files.flatMap((file): Part[] => {
    if (!isRecord(file) || typeof file.path !== "string" || typeof file.content !== "string") return [];
    if (/^\[[A-Z_]+\]$/.test(file.content)) return [];
    return [{ type: "file", path: shownPath(file.path, directory), action: "read" }];
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
