import { outputError, type QuestionAnswers, type ToolOutput } from "@muster/codebuff-protocol";
import { formatSlow } from "../text/amounts.ts";
import { oneLine, printable } from "../text/printable.ts";
import { toolTitle } from "../text/tool-title.ts";
import type { ToolItem } from "../transcript/items.ts";
import type { BlockContext } from "./block-context.ts";
import { diffLines } from "./diff-lines.ts";

/** How much of a result is shown below its line. */
const tail = 3;
const diffRows = 40;

/** A call folded to a line: what it does, what came of it, how long it took; edits with their diff. */
export function toolLines(item: ToolItem, context: BlockContext): string[] {
  const { theme, width, now } = context;
  const { failure, outcome } = toolOutcome(item);
  const isOpen = item.endedAt === undefined;
  const mark = isOpen ? theme.accent("●") : failure === undefined ? theme.good("✓") : theme.bad("✗");
  const time = (item.endedAt ?? now) - item.startedAt;
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
  const line = `${mark} ${style(title)}${told === "" ? "" : theme.dim(` · ${told}`)}`;
  return [line, ...detailLines(item, context).map((detail) => `  ${detail}`)];
}

/** The word for a call: what the person was asked is no tool to them. */
export function toolLabel({ toolName, permission }: ToolItem): string {
  if (permission !== undefined) return "permission";
  return toolName === "ask_user" ? "question" : toolName;
}

/** What came of a call: why it failed, or what the person answered. */
export function toolOutcome(item: ToolItem): { failure: string | undefined; outcome: string } {
  return { failure: item.result === undefined ? undefined : failureOf(item.result), outcome: outcomeOf(item) };
}

/** What stands below the line of a call: its diff, the last of its output, its todos. */
export function detailLines(item: ToolItem, context: BlockContext): string[] {
  const { theme, unfolded } = context;
  const isOpen = item.endedAt === undefined;
  const diff = item.result === undefined ? undefined : diffOf(item.result);
  if (diff !== undefined)
    return cut(diffLines(diff, context), unfolded ? Number.POSITIVE_INFINITY : diffRows, theme.dim);
  if (isOpen) return lastLines(item.progress, tail).map(theme.dim);
  if (item.toolName === "run_terminal_command") {
    const output = textOf(item.result, ["stdout", "stderr", "output"]) || item.progress;
    return unfolded ? printable(output).trimEnd().split("\n") : lastLines(output, tail).map(theme.dim);
  }
  if (item.toolName === "write_todos") return todoLines(item.input.todos, theme);
  return unfolded && item.result !== undefined ? JSON.stringify(item.result, null, 2).split("\n").map(theme.dim) : [];
}

function todoLines(todos: unknown, theme: BlockContext["theme"]): string[] {
  if (!Array.isArray(todos)) return [];
  return todos.map((todo: { task?: unknown; completed?: unknown }) => {
    const task = oneLine(String(todo?.task ?? ""), 200);
    return todo?.completed === true ? `${theme.good("☒")} ${theme.dim(task)}` : `☐ ${task}`;
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
  const error = outputError(output);
  if (error !== undefined) return error;
  const { exitCode, status } = jsonOf(output) as { exitCode?: unknown; status?: unknown };
  if (status === "timed_out") return "timed out";
  return typeof exitCode === "number" && exitCode !== 0 ? `exit ${exitCode}` : undefined;
}

function diffOf(output: ToolOutput): string | undefined {
  for (const part of output) {
    if (part.type !== "json") continue;
    for (const value of Array.isArray(part.value) ? part.value : [part.value]) {
      if (typeof value !== "object" || value === null) continue;
      const { unifiedDiff, diff, patch } = value as Record<string, unknown>;
      const found = [unifiedDiff, diff, patch].find((text) => typeof text === "string" && text.includes("@@"));
      if (typeof found === "string") return found;
    }
  }
  return undefined;
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

export function lastLines(text: string, count: number): string[] {
  const lines = printable(text).trimEnd().split("\n");
  return lines.length === 1 && lines[0] === "" ? [] : lines.slice(-count);
}

function cut(lines: readonly string[], most: number, dim: (text: string) => string): string[] {
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), dim(`… ${lines.length - most} more lines, /diff shows all`)];
}
