import { agentModeId } from "@muster/codebuff-protocol";
import { wrapTextWithAnsi } from "../pi-tui.ts";
import { formatCost, formatDuration, formatSlow } from "../text/amounts.ts";
import { oneLine, printable } from "../text/printable.ts";
import type {
  AgentItem,
  CommandItem,
  EndItem,
  Item,
  ReasoningItem,
  RemarkItem,
  RunItem,
  UserItem,
} from "../transcript/items.ts";
import { type BlockContext, proseWidth } from "./block-context.ts";
import { diffLines } from "./diff-lines.ts";
import { markdownLines } from "./markdown.ts";
import { lastLines, markedTail } from "./output-lines.ts";
import { toolLines } from "./tool-lines.ts";

/** Any item as lines. */
export function itemLines(item: Item, context: BlockContext): string[] {
  switch (item.kind) {
    case "user":
      return userLines(item, context);
    case "text": {
      const lines = markdownLines(item.text, context);
      return item.withdrawn === true ? lines.map(context.theme.struck) : lines;
    }
    case "reasoning":
      return reasoningLines(item, context);
    case "tool":
      return toolLines(item, context);
    case "agent":
      return agentLines(item, context);
    case "command":
      return commandLines(item, context);
    case "remark":
      return remarkLines(item, context);
    case "run":
      return runLines(item, context);
    case "end":
      return [endLine(item, context)];
  }
}

function runLines({ agentId, model = "" }: RunItem, { theme }: BlockContext): string[] {
  return agentId === agentModeId && model !== "" && model !== "unknown" ? [theme.dim(`· agent mode on ${model}`)] : [];
}

function userLines({ text, attachments, steers }: UserItem, { theme, width }: BlockContext): string[] {
  const mark = steers ? "↳" : "›";
  const lines = wrapTextWithAnsi(printable(text), Math.min(width, proseWidth) - 2);
  const shown = lines.map((line, at) => `${theme.user(at === 0 ? mark : " ")} ${theme.user(line)}`);
  return [...shown, ...attachments.map((name) => theme.dim(`  + ${oneLine(name, width - 4)}`))];
}

function reasoningLines({ text, startedAt, endedAt }: ReasoningItem, context: BlockContext): string[] {
  const { theme, now, width, unfolded } = context;
  const time = formatSlow((endedAt ?? now) - startedAt);
  const head = theme.dim(`✻ ${endedAt === undefined ? "thinking" : "thought"}${time === "" ? "" : ` ${time}`}`);
  if (!unfolded) return [head];
  const lines = wrapTextWithAnsi(text.trim(), Math.min(width, proseWidth) - 2);
  return [head, ...lines.map((line) => theme.dim(`  ${line}`))];
}

/** An agent and, indented below it, what it did; while it works only the last of it. */
function agentLines(item: AgentItem, context: BlockContext): string[] {
  const { theme, now, width, unfolded } = context;
  const isOpen = item.endedAt === undefined;
  const calls = countCalls(item);
  const told = [
    calls === 0 ? "" : `${calls} ${calls === 1 ? "call" : "calls"}`,
    formatSlow((item.endedAt ?? now) - item.startedAt),
  ]
    .filter((text) => text !== "")
    .join(" · ");
  const mark = isOpen ? theme.accent("◇") : theme.good("◆");
  const prompt =
    item.prompt === ""
      ? ""
      : theme.dim(` ${oneLine(item.prompt, Math.max(10, width - item.name.length - told.length - 10))}`);
  const head = `${mark} ${theme.accent(oneLine(item.name, 40))}${prompt}${told === "" ? "" : theme.dim(` · ${told}`)}`;
  const inner = { ...context, width: width - 2 };
  const shown = unfolded ? item.children : item.children.filter(({ kind }) => kind === "tool" || kind === "agent");
  const children = shown.flatMap((child) => childLines(child, inner));
  const visible = isOpen && !unfolded ? children.slice(-3) : children;
  return [head, ...visible.map((line) => `  ${line}`)];
}

/** A child's calls are one line each; whoever wants more unfolds. */
function childLines(child: Item, context: BlockContext): string[] {
  const lines = itemLines(child, context);
  return child.kind === "tool" && !context.unfolded ? lines.slice(0, 1) : lines;
}

function countCalls({ children }: AgentItem): number {
  return children.reduce(
    (sum, child) => sum + (child.kind === "tool" ? 1 : child.kind === "agent" ? countCalls(child) : 0),
    0,
  );
}

/** What the person ran: the last lines while it runs, then all that fits. */
function commandLines(
  { command, output, exitCode, endedAt }: CommandItem,
  { theme, unfolded }: BlockContext,
): string[] {
  const failed = endedAt !== undefined && exitCode !== 0;
  const state = failed ? theme.bad(` exit ${exitCode ?? "unknown"}`) : "";
  const told = endedAt === undefined ? theme.dim(" · ctrl+c ends it") : state;
  const rows = unfolded ? Number.POSITIVE_INFINITY : 200;
  const shown = endedAt === undefined && !unfolded ? lastLines(output, 10) : markedTail(output, rows);
  return [`${theme.warning("!")} ${theme.strong(printable(command))}${told}`, ...shown];
}

const marks = { info: "·", good: "✓", warning: "!", error: "✗" } as const;

function remarkLines({ tone, text }: RemarkItem, context: BlockContext): string[] {
  const { theme, width } = context;
  if (tone === "diff") return diffLines(text, context);
  const style = { info: theme.dim, good: theme.good, warning: theme.warning, error: theme.bad }[tone];
  return text.split("\n").flatMap((paragraph, at) => {
    const lines = paragraph === "" ? [""] : wrapHanging(paragraph, width - 2);
    return lines.map((line, row) => {
      const mark = at === 0 && row === 0 ? style(marks[tone]) : " ";
      return line === "" ? "" : `${mark} ${tone === "info" ? line : style(line)}`;
    });
  });
}

/** A row of a list (`name  what it is`) goes on below its last column, prose at the margin. */
function wrapHanging(text: string, width: number): string[] {
  const [head = ""] = /^\s*\S.* {2,}(?=\S)/.exec(text) ?? /^\s*/.exec(text) ?? [];
  if (head.trim() === "" && head.length > width / 2) return [text.trim()];
  if (head.length === 0) return wrapTextWithAnsi(text, Math.min(width, proseWidth));
  if (head.length > width / 2) {
    const below = wrapTextWithAnsi(text.slice(head.length), width - 6).map((line) => `      ${line}`);
    return [head.trimEnd(), ...below];
  }
  const [first = "", ...rest] = wrapTextWithAnsi(text.slice(head.length), width - head.length);
  return [`${head}${first}`, ...rest.map((line) => `${" ".repeat(head.length)}${line}`)];
}

/** Time and cost, and how it ended where that was not as it should. */
function endLine(item: EndItem, { theme }: BlockContext): string {
  const { status, durationMs } = item;
  const cost = formatCost(item);
  const figures = theme.dim(`${formatDuration(durationMs)} · ${cost}`);
  if (status === "completed") return figures;
  const words = {
    failed: "failed",
    cancelled: "interrupted",
    timeout: "timed out",
    max_steps: "stopped after the most steps allowed",
  };
  const style = status === "cancelled" || status === "max_steps" ? theme.warning : theme.bad;
  return `${style(words[status])} ${theme.dim("·")} ${figures}`;
}
