import type { Item } from "./items.ts";

/** The name of a sub-agent, the newest of that id. */
export function nameOf(items: readonly Item[], agentId: string): string | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== "agent") continue;
    const name = item.agentId === agentId ? item.name : nameOf(item.children, agentId);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The number of a call in reading order, those of sub-agents included. */
export function placeOf(items: readonly Item[], toolCallId: string): number | undefined {
  const calls = callsIn(items);
  const at = calls.lastIndexOf(toolCallId);
  return at === -1 ? undefined : at;
}

function callsIn(items: readonly Item[]): string[] {
  return items.flatMap((item) =>
    item.kind === "tool" ? [item.toolCallId] : item.kind === "agent" ? callsIn(item.children) : [],
  );
}
