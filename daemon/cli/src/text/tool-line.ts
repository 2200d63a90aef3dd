import { cutToWidth, displayWidth, type Paint } from "@muster/core";
import type { ItemStatus, Part } from "@muster/schema";
import { diffLines } from "./diff-lines.ts";
import { printable } from "./printable.ts";

export type ToolCall = Extract<Part, { type: "tool_call" }>;
type ToolResult = Extract<Part, { type: "tool_result" }>;

export interface ToolEnd {
  call?: ToolCall;
  status: ItemStatus;
  /** Of the result item. */
  content: readonly Part[];
  durationMs?: number;
}

/** What a person calls the tool: its title, or its name with the first of its inputs; what is read and what is changed look different. */
export function toolTitle({ name, title, input, toolKind }: ToolCall): string {
  const given = typeof input === "object" && input !== null ? Object.values(input).find(isText) : undefined;
  const shown = oneLine(title ?? (given === undefined ? name : `${name} ${given}`), 200);
  const verb = verbs[toolKind];
  return verb === undefined || saysIt.test(shown) ? shown : `${verb} ${shown}`;
}

/** Said before a title that is only a path or an address. Commands speak for themselves. */
const verbs: { readonly [Kind in ToolCall["toolKind"]]?: string } = {
  read: "read",
  edit: "edit",
  search: "search",
  fetch: "fetch",
};
const saysIt =
  /^(read|view|open|list|edit|write|create|update|delete|patch|move|apply|search|find|grep|glob|fetch|get|web)/i;

/** `✓ npm test  (12 lines, 1.2 s)`, in one row of the terminal; below it the diffs of what it changed, unless they were shown. */
export function toolLine(end: ToolEnd, paint: Paint, { columns, isShown = () => false }: ToolLook = {}): string {
  const { call, status, content, durationMs } = end;
  const result = content.find((part): part is ToolResult => part.type === "tool_result");
  const isBad = status === "failed" || result?.isError === true;
  const mark = status === "cancelled" ? paint.yellow("–") : isBad ? paint.red("✗") : paint.green("✓");
  const diffs = content.flatMap((part) => (part.type === "file" && part.diff !== undefined ? [part.diff] : []));
  const time = durationMs === undefined ? "" : seconds(durationMs);
  const summary = diffs.length > 0 && !isBad && status !== "cancelled" ? diffSize(diffs) : summaryOf(result, status);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - 3;
  const said = cutToWidth(summary, Math.max(12, Math.floor(room / 2) - time.length - 6));
  const facts = [said, time].filter(Boolean).join(", ");
  const shownFacts = facts === "" ? "" : `  (${facts})`;
  const title = cutToWidth(
    call === undefined ? "tool" : toolTitle(call),
    Math.min(100, room - displayWidth(shownFacts)),
  );
  const below = diffs.filter((diff) => !isShown(diff)).map((diff) => diffLines(diff, paint));
  return `${mark} ${title}${shownFacts === "" ? "" : paint.dim(shownFacts)}\n${below.join("")}`;
}

export interface ToolLook {
  /** Of the terminal, less what stands before the line. */
  columns?: number;
  /** A diff that stands above already. */
  isShown?(diff: string): boolean;
}

/** `+3 −1` */
function diffSize(diffs: readonly string[]): string {
  const lines = diffs.flatMap((diff) => diff.split("\n"));
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
  return `+${count("+")} −${count("-")}`;
}

/** `1.2 s`, `3 min 5 s` */
export function seconds(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function summaryOf(result: ToolResult | undefined, status: ItemStatus): string {
  if (status === "cancelled") return "cancelled";
  if (result === undefined) return status === "failed" ? "failed" : "";
  const lines = result.output.split("\n").filter((line) => line.trim() !== "");
  const failure = result.exitCode === undefined || result.exitCode === 0 ? "" : `exit ${result.exitCode}`;
  const first = oneLine(lines.at(0) ?? "", 80);
  if (result.isError) return [failure, first].filter(Boolean).join(": ") || "failed";
  const said = lines.length > 1 ? `${lines.length} lines` : first;
  return [failure, said].filter(Boolean).join(", ");
}

function oneLine(text: string, most: number): string {
  const line = printable(text).replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
