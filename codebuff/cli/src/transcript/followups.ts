import type { Item, ToolItem } from "./items.ts";

export interface Followup {
  readonly prompt: string;
  readonly label?: string;
}

/** What the agent offered to be asked next, since the person last said something. */
export function openFollowups(items: readonly Item[]): readonly Followup[] {
  const from = items.findLastIndex(({ kind }) => kind === "user");
  const offer = items
    .slice(from + 1)
    .findLast((item): item is ToolItem => item.kind === "tool" && item.toolName === "suggest_followups");
  return offer === undefined ? [] : followupsOf(offer);
}

export function followupsOf({ input: { followups } }: Pick<ToolItem, "input">): readonly Followup[] {
  if (!Array.isArray(followups)) return [];
  return followups.flatMap((one: { prompt?: unknown; label?: unknown } | null) => {
    if (typeof one?.prompt !== "string" || one.prompt.trim() === "") return [];
    return [{ prompt: one.prompt, label: typeof one.label === "string" ? one.label : undefined }];
  });
}
