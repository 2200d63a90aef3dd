import { outputError } from "@muster/codebuff-protocol";
import { formatCost, formatDuration } from "../text/amounts.ts";
import { toolLabel, toolTitle } from "../text/tool-title.ts";
import type { Item } from "./items.ts";

/** The transcript as a document. */
export function itemsAsMarkdown(items: readonly Item[]): string {
  return `${items.flatMap((item) => blocksOf(item, "")).join("\n\n")}\n`;
}

function blocksOf(item: Item, indent: string): string[] {
  switch (item.kind) {
    case "user":
      return [`## You\n\n${item.text}${item.attachments.map((name) => `\n\n*with ${name}*`).join("")}`];
    case "text":
      return item.withdrawn === true ? [] : [item.text.trim()];
    case "reasoning":
      return item.text
        .trim()
        .split("\n\n")
        .map((text) => `> ${text.replaceAll("\n", "\n> ")}`);
    case "tool": {
      const failure = item.result === undefined ? undefined : outputError(item.result);
      const title = `${toolLabel(item)} ${toolTitle(item.toolName, item.input)}`.replaceAll("\n", " ").trim();
      return [`${indent}- \`${title}\`${failure === undefined ? "" : ` — ${failure}`}`];
    }
    case "agent":
      return [
        `${indent}- **${item.name}** ${item.prompt}`,
        ...item.children.flatMap((child) => blocksOf(child, `${indent}  `)),
      ];
    case "command":
      return [`## You ran\n\n${fenced(`$ ${item.command}\n${item.output.trimEnd()}`)}`];
    case "remark":
      return [item.tone === "diff" ? fenced(item.text, "diff") : `*${item.text}*`];
    case "run":
      return [];
    case "end":
      return [`*${item.status} · ${formatDuration(item.durationMs)} · ${formatCost(item)}*`];
  }
}

function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
