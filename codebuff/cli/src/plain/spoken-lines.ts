import type { BlockContext } from "../blocks/block-context.ts";
import { lastLines } from "../blocks/output-lines.ts";
import { detailLines, toolOutcome, toolTime } from "../blocks/tool-lines.ts";
import { formatCost, formatDuration, formatSlow } from "../text/amounts.ts";
import { oneLine, printable } from "../text/printable.ts";
import { toolLabel, toolTitle } from "../text/tool-title.ts";
import type { AgentItem, CommandItem, EndItem, Item, Tone, ToolItem } from "../transcript/items.ts";

/** A finished item for ears: a word that says what it is, then its text. No marks, nothing that only eyes would miss. */
export function spokenLines(item: Item, context: BlockContext): string[] {
  switch (item.kind) {
    case "user":
      return [
        labelled(item.steers ? "You, meanwhile" : "You", item.text),
        ...item.attachments.map((name) => `With: ${oneLine(name, 200)}`),
      ].flat();
    case "text":
      return labelled(item.withdrawn === true ? "Codebuff (does not count)" : "Codebuff", item.text.trim());
    case "reasoning":
      return [`Thought: ${formatSlow((item.endedAt ?? item.startedAt) - item.startedAt) || "a moment"}`];
    case "tool":
      return toolLines(item, context);
    case "agent":
      return agentLines(item);
    case "command":
      return commandLines(item);
    case "remark":
      return item.tone === "diff"
        ? ["Changes:", ...printable(item.text).trimEnd().split("\n")]
        : labelled(toneLabels[item.tone], item.text);
    case "run":
      return [];
    case "end":
      return [endLine(item)];
  }
}

const toneLabels: Readonly<Record<Exclude<Tone, "diff">, string>> = {
  info: "Note",
  good: "Done",
  warning: "Warning",
  error: "Error",
};

function labelled(label: string, text: string): string[] {
  const [first = "", ...rest] = printable(text).split("\n");
  return [`${label}: ${first}`, ...rest];
}

function toolLines(item: ToolItem, context: BlockContext): string[] {
  const { failure, outcome } = toolOutcome(item);
  const time = formatSlow(toolTime(item, item.startedAt));
  const came = [failure === undefined ? outcome || "done" : `failed, ${oneLine(failure, 200)}`, time];
  const title = oneLine(`${toolLabel(item)} ${toolTitle(item.toolName, item.input)}`, 300);
  return [`Tool: ${title}: ${came.filter((text) => text !== "").join(", ")}`, ...detailLines(item, context)];
}

function agentLines({ name, prompt, children, startedAt, endedAt }: AgentItem): string[] {
  const calls = children.filter(({ kind }) => kind === "tool").length;
  const time = formatSlow((endedAt ?? startedAt) - startedAt);
  const came = [`${calls} ${calls === 1 ? "call" : "calls"}`, time].filter((text) => text !== "").join(", ");
  const inner = children.filter((child) => child.kind === "agent").flatMap(agentLines);
  return [...inner, `Agent: ${oneLine(name, 60)}: ${oneLine(prompt, 300)}: ${came}`];
}

function commandLines({ command, exitCode, output }: CommandItem): string[] {
  return [`Command: ${printable(command)}: exit ${exitCode ?? "unknown"}`, ...lastLines(output, 200)];
}

function endLine(item: EndItem): string {
  const { status, durationMs } = item;
  const words = { completed: "Finished", failed: "Failed", cancelled: "Interrupted", timeout: "Timed out" } as const;
  const word = status === "max_steps" ? "Stopped after the most steps allowed" : words[status];
  return `${word}: ${formatDuration(durationMs)}, ${formatCost(item)}`;
}
