import type { Paint } from "@muster/core";
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

/** What a person calls the tool: its title, or its name with the first of its inputs. */
export function toolTitle({ name, title, input }: ToolCall): string {
  const given = typeof input === "object" && input !== null ? Object.values(input).find(isText) : undefined;
  return oneLine(title ?? (given === undefined ? name : `${name} ${given}`), 100);
}

/** `✓ npm test  (12 lines, 1.2 s)`, and below it the diffs of what it changed. */
export function toolLine({ call, status, content, durationMs }: ToolEnd, paint: Paint): string {
  const result = content.find((part): part is ToolResult => part.type === "tool_result");
  const isBad = status === "failed" || result?.isError === true;
  const mark = status === "cancelled" ? paint.yellow("–") : isBad ? paint.red("✗") : paint.green("✓");
  const facts = [summaryOf(result, status), durationMs === undefined ? "" : seconds(durationMs)].filter(Boolean);
  const title = call === undefined ? "tool" : toolTitle(call);
  const files = content.filter((part) => part.type === "file" && part.diff !== undefined);
  const diffs = files.map((part) => (part.type === "file" ? diffLines(part.diff ?? "", paint) : ""));
  return `${mark} ${title}${facts.length > 0 ? paint.dim(`  (${facts.join(", ")})`) : ""}\n${diffs.join("")}`;
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
