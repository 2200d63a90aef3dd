import { fileMarkers, outputError, type QuestionAnswers, type ToolOutput } from "@muster/codebuff-protocol";
import { isRecord } from "@muster/core";
import { formatSlow } from "../text/amounts.ts";
import { oneLine } from "../text/printable.ts";
import { toolLabel, toolPaths, toolTitle } from "../text/tool-title.ts";
import { followupsOf } from "../transcript/followups.ts";
import type { ToolItem } from "../transcript/items.ts";
import type { BlockContext } from "./block-context.ts";
import { diffLines } from "./diff-lines.ts";
import { lastLines, outputLines } from "./output-lines.ts";
import { foundCount, resultLines } from "./result-lines.ts";

const diffRows = 40;
const progressRows = 3;

/** A call folded to a line: what it does, what came of it, how long it took; edits with their diff. */
export function toolLines(item: ToolItem, context: BlockContext): string[] {
  const { theme, width, now } = context;
  const { failure, outcome } = toolOutcome(item);
  const isOpen = item.endedAt === undefined;
  const mark = isOpen ? theme.accent("●") : failure === undefined ? theme.good("✓") : theme.bad("✗");
  const time = toolTime(item, now);
  // The line stays one line: what came of it has at most half.
  const came = [isOpen || failure === undefined ? "" : failure, outcome].filter((text) => text !== "").join(" · ");
  const told = [oneLine(came, Math.max(20, Math.floor(width / 2))), formatSlow(time)]
    .filter((text) => text !== "")
    .join(" · ");
  const title = oneLine(
    `${toolLabel(item)} ${toolTitle(item.toolName, item.input)}`,
    Math.max(20, width - told.length - 6),
  );
  const style = item.withdrawn === true ? theme.struck : (text: string) => text;
  const line = `${mark} ${style(withLinks(title, toolPaths(item.toolName, item.input), context))}${told === "" ? "" : theme.dim(` · ${told}`)}`;
  return [line, ...detailLines(item, context).map((detail) => `  ${detail}`)];
}

/** The paths in a title; one that was cut with the title is none. */
function withLinks(title: string, paths: readonly string[], { links }: BlockContext): string {
  if (links === undefined) return title;
  let rest = title;
  let linked = "";
  for (const path of paths) {
    const at = path === "" ? -1 : rest.indexOf(path);
    if (at === -1) continue;
    linked += rest.slice(0, at) + links.file(path, path);
    rest = rest.slice(at + path.length);
  }
  return linked + rest;
}

/** How long a call itself took; what it waited for the person or for its neighbours is no time of a tool. */
export function toolTime({ toolName, startedAt, endedAt, durationMs, waits }: ToolItem, now: number): number {
  if (toolName === "ask_user" || waits === true) return 0;
  return endedAt === undefined ? now - startedAt : (durationMs ?? endedAt - startedAt);
}

/** What came of a call: why it failed, or what the person answered. A no of the person is no success. */
export function toolOutcome(item: ToolItem): { failure: string | undefined; outcome: string } {
  const { result, permission } = item;
  if (result === undefined) return { failure: undefined, outcome: "" };
  const outcome = outcomeOf(item);
  if (permission !== undefined && outcome.startsWith("denied")) return { failure: outcome, outcome: "" };
  const failure = failureOf(result);
  return { failure, outcome: failure === undefined ? outcome || foundCount(item.toolName, result) : outcome };
}

/** What stands below the line of a call: its diff, the last of its output, its todos. */
export function detailLines(item: ToolItem, context: BlockContext): string[] {
  const { theme, unfolded } = context;
  const isOpen = item.endedAt === undefined;
  const diff = item.result === undefined ? undefined : diffOf(item.result);
  if (diff !== undefined)
    return cut(diffLines(diff, context), unfolded ? Number.POSITIVE_INFINITY : diffRows, theme.dim);
  if (isOpen) return lastLines(item.progress, progressRows).map(theme.dim);
  if (item.toolName === "run_terminal_command") {
    const output = textOf(item.result, ["stdout", "stderr", "output"]) || item.progress;
    if (unfolded) return lastLines(output, Number.POSITIVE_INFINITY);
    return outputLines(output, item.result !== undefined && failureOf(item.result) !== undefined, theme.dim);
  }
  if (item.toolName === "suggest_followups") return followupLines(item, theme);
  if (item.toolName === "write_todos") return todoLines(item.input.todos, theme);
  // What the person answered stands on the line itself.
  return unfolded && item.toolName !== "ask_user" ? resultLines(item, context) : [];
}

/** Numbered, because a number sends one of them. */
function followupLines(item: ToolItem, theme: BlockContext["theme"]): string[] {
  const rows = followupsOf(item).map(({ label, prompt }, at) => `${at + 1}. ${oneLine(label ?? prompt, 200)}`);
  return rows.length === 0 ? [] : [...rows, theme.dim("type a number to send one of them")];
}

function todoLines(todos: unknown, theme: BlockContext["theme"]): string[] {
  if (!Array.isArray(todos)) return [];
  return todos.map((todo: { task?: unknown; completed?: unknown }) => {
    const task = oneLine(String(todo?.task ?? ""), 200);
    return todo?.completed === true ? `${theme.good("☑")} ${theme.dim(task)}` : `☐ ${task}`;
  });
}

type QuestionAnswer = Extract<QuestionAnswers, { answers: unknown }>["answers"][number];

/** Permissions and questions: what came of them. */
function outcomeOf({ toolName, result, permission }: ToolItem): string {
  if (toolName !== "ask_user" || result === undefined) return "";
  const value = jsonOf(result);
  if (permission !== undefined) {
    const { decision, message } = value as { decision?: string; message?: string };
    const word = decision === "once" ? "allowed" : decision === "always" ? "always allowed" : "denied";
    return message === undefined ? word : `${word}: ${oneLine(message, 80)}`;
  }
  const { answers, skipped, decision } = value as { answers?: unknown; skipped?: boolean; decision?: string };
  if (skipped === true) return "skipped";
  if (typeof decision === "string") return decision === "reject" ? "sent back" : "approved";
  if (!Array.isArray(answers)) return "";
  return answers
    .map(({ selectedOption, selectedOptions = [], otherText }: QuestionAnswer) =>
      [selectedOption, ...selectedOptions, otherText].filter((text) => text !== undefined).join(", "),
    )
    .map((text) => oneLine(text, 60))
    .join("; ");
}

function failureOf(output: ToolOutput): string | undefined {
  const error = outputError(output) ?? unreadFile(output);
  if (error !== undefined) return error;
  const { exitCode, status } = jsonOf(output) as { exitCode?: unknown; status?: unknown };
  if (status === "timed_out") return "timed out";
  return typeof exitCode === "number" && exitCode !== 0 ? `exit ${exitCode}` : undefined;
}

const unread: Readonly<Record<string, string>> = {
  [fileMarkers.missing]: "no such file",
  [fileMarkers.blocked]: "blocked",
  [fileMarkers.outside]: "outside the project",
  [fileMarkers.tooLarge]: "too large",
  [fileMarkers.unreadable]: "cannot be read",
};

/** A read that gave none of the files it was asked for. */
function unreadFile(output: ToolOutput): string | undefined {
  const files = output.flatMap((part) => (part.type === "json" && Array.isArray(part.value) ? part.value : []));
  const reasons = files.map((file) => {
    const content = isRecord(file) ? file.content : undefined;
    return typeof content === "string" && Object.hasOwn(unread, content) ? unread[content] : undefined;
  });
  return files.length > 0 && reasons.every((reason) => reason !== undefined)
    ? [...new Set(reasons)].join(", ")
    : undefined;
}

/** The diffs of a result, each of a patch over several files under the name of its file. */
function diffOf(output: ToolOutput): string | undefined {
  const found: string[] = [];
  for (const part of output) {
    if (part.type !== "json") continue;
    for (const value of Array.isArray(part.value) ? part.value : [part.value]) {
      if (typeof value !== "object" || value === null) continue;
      const { unifiedDiff, diff, patch, applied } = value as Record<string, unknown>;
      if (Array.isArray(applied)) found.push(...applied.map(appliedDiff));
      const text = [unifiedDiff, diff, patch].find((one) => typeof one === "string" && one.includes("@@"));
      if (typeof text === "string") found.push(text);
    }
  }
  return found.length === 0 ? undefined : found.join("\n");
}

function appliedDiff(applied: { file?: unknown; from?: unknown; action?: unknown; unifiedDiff?: unknown }): string {
  const { file, from, action, unifiedDiff } = applied;
  const name = typeof from === "string" ? `${from} → ${String(file)}` : String(file);
  const word = action === "delete" ? " (deleted)" : action === "add" ? " (new)" : "";
  const hunks =
    typeof unifiedDiff === "string" && unifiedDiff.includes("@@") ? unifiedDiff.slice(unifiedDiff.indexOf("@@")) : "";
  return `+++ ${name}${word}\n${hunks}`.trimEnd();
}

function jsonOf(output: ToolOutput): object {
  const part = output.find(({ type }) => type === "json");
  return part?.type === "json" && typeof part.value === "object" && part.value !== null ? part.value : {};
}

function textOf(output: ToolOutput | undefined, fields: readonly string[]): string {
  const value = jsonOf(output ?? []) as Record<string, unknown>;
  return fields
    .map((field) => value[field])
    .filter((text) => typeof text === "string" && text !== "")
    .join("\n");
}

function cut(lines: readonly string[], most: number, dim: (text: string) => string): string[] {
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), dim(`… ${lines.length - most} more lines, /diff shows all`)];
}
