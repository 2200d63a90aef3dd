import type { Body, Item, Part, Stretch, UniversalEvent } from "@muster/schema";

export interface ItemView {
  item: Item;
  startedAt: number;
  endedAt?: number;
  endSequence?: number;
  /** When it worked, without the times in which a person was asked. */
  worked?: readonly Stretch[];
  /** The input of a call, as far as it is written. */
  input: string;
  /** What a running tool has said so far. */
  output: string;
  result?: Item;
  resultSequence?: number;
}

export function startItem({ time }: Pick<UniversalEvent, "time">, item: Item): ItemView {
  return { item, startedAt: Date.parse(time), input: "", output: "" };
}

export function endItem(event: Pick<UniversalEvent, "time" | "sequence">, item: Item, begun?: ItemView): ItemView {
  const { output = "", startedAt = Date.parse(event.time), ...rest } = begun ?? {};
  return { ...rest, startedAt, output, input: "", item, endedAt: Date.parse(event.time), endSequence: event.sequence };
}

export function appendDelta(view: ItemView, { part, index, delta }: Body<"item.delta">["data"]): ItemView {
  if (part === "input") return { ...view, input: view.input + delta };
  if (part === "output") return { ...view, output: view.output + delta };
  const content = [...view.item.content];
  const known = content[index];
  const text = known !== undefined && "text" in known ? known.text + delta : delta;
  content[index] = part === "text" ? { type: "text", text } : { type: "reasoning", text, visibility: "public" };
  // Parts before it that were not seen are empty texts: a list with holes cannot be walked.
  for (let before = 0; before < index; before++) content[before] ??= { type: "text", text: "" };
  return { ...view, item: { ...view.item, content } };
}

/** The call a result belongs to; undefined for everything that is no result. */
export function resultCallOf(item: Item): string | undefined {
  if (item.kind !== "tool_result") return undefined;
  return item.content.find((part) => part.type === "tool_result")?.callId;
}

export function partOf<T extends Part["type"]>(
  item: Item | undefined,
  type: T,
): Extract<Part, { type: T }> | undefined {
  return item?.content.find((part): part is Extract<Part, { type: T }> => part.type === type);
}

export function partsOf<T extends Part["type"]>(item: Item | undefined, type: T): Extract<Part, { type: T }>[] {
  return (item?.content ?? []).filter((part): part is Extract<Part, { type: T }> => part.type === type);
}
