import type { UntrustedItem } from "@muster/codebuff-sdk";
import { createTwoFilesPatch } from "diff";
import { printable } from "../text/printable.ts";
import { shortPath } from "../text/short-path.ts";

const kinds: Readonly<Record<UntrustedItem["kind"], string>> = {
  agent: "agent",
  mcp: "MCP servers",
  "mcp tools": "what an MCP server says of its tools",
  "project config": "hooks, processes and rules",
  skill: "skill",
  rule: "rule",
  hooks: "hooks",
  command: "command",
};

/** What has not been accepted of a project: what is new as it is, what has changed as a difference. */
export function trustLines(items: readonly UntrustedItem[], root: string): string[] {
  return items.flatMap((item) => [
    `${item.change} ${kinds[item.kind]} ${trustPath(item.path, root)}`,
    ...contentOf(item).map((line) => `  ${line}`),
  ]);
}

/** One line for each thing, without its content. */
export function trustTitle({ kind, path, content }: UntrustedItem, root: string): string {
  return `${kinds[kind]} ${trustPath(path, root)}${kind === "rule" ? ` ${content}` : ""}`;
}

function trustPath(path: string, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : shortPath(path, root);
}

function contentOf({ content, before, change }: UntrustedItem): string[] {
  if (change === "new" || before === undefined) return printable(content).trimEnd().split("\n");
  const patch = createTwoFilesPatch("accepted", "now", before, content, "", "", { context: 2 });
  return printable(patch).trimEnd().split("\n").slice(1);
}
