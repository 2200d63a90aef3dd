import type { Body, Item, ItemStatus, Part } from "@muster/schema";
import { type OpenItem, textOf } from "../../fold.ts";
import type { Journal } from "../state/journal.ts";

/** Passes items on to the log so that each has one start and one end, whatever the agent does. */
export class OpenItems {
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  start({ data }: Body<"item.started">): void {
    const { item } = data;
    if (this.#journal.state.items.has(item.itemId)) return this.#addLate(item, "was started twice");
    this.#journal.emit("agent", { type: "item.started", data });
  }

  addDelta(body: Body<"item.delta">): void {
    const open = this.#journal.state.items.get(body.data.itemId);
    // The text of an item we closed is already in the log, so what still trickles in has no place any more.
    if (!open) return;
    this.#journal.emit("agent", body, open.turnId ?? null);
  }

  complete(body: Body<"item.completed">): void {
    const open = this.#journal.state.items.get(body.data.item.itemId);
    if (!open) return this.#addLate(body.data.item, "was completed after it had been closed");
    this.#journal.emit("agent", body, open.turnId ?? null);
  }

  /** At the end of a turn its open items are closed, except those in the background. */
  closeTurn(turnId: string, status: ItemStatus): void {
    this.#close((open) => open.turnId === turnId && open.item.background !== true, status);
  }

  /** At the end of a life everything is closed. */
  closeAll(status: ItemStatus): void {
    this.#close(() => true, status);
  }

  /** A thing of the daemon's own to say in the conversation. */
  addStatus(label: string, detail?: string, nativeItemId?: string): void {
    const item: Item = {
      itemId: `daemon_${this.#journal.state.next.daemonItem}`,
      nativeItemId,
      kind: "status",
      role: "system",
      status: "completed",
      content: [{ type: "status", label, detail }],
    };
    this.#journal.emit("daemon", { type: "item.started", data: { item } });
    this.#journal.emit("daemon", { type: "item.completed", data: { item } });
  }

  #addLate(item: Item, what: string): void {
    this.addStatus(
      "late_item",
      `${item.kind} ${item.itemId} ${what} (${item.status})`,
      item.nativeItemId ?? item.itemId,
    );
  }

  #close(which: (open: OpenItem) => boolean, status: ItemStatus): void {
    for (const open of [...this.#journal.state.items.values()].filter(which)) {
      const item = closedItem(open, status);
      this.#journal.emit("daemon", { type: "item.completed", data: { item } }, open.turnId ?? null);
    }
  }
}

/** An item as far as it came: its text equals its deltas. */
function closedItem(open: OpenItem, status: ItemStatus): Item {
  const { item } = open;
  const deltas = textOf(open);
  const content: Part[] = item.content.map((part, index) => {
    const text = deltas[index];
    return text !== undefined && "text" in part ? { ...part, text } : part;
  });
  for (const [index, text] of Object.entries(deltas)) {
    if (Number(index) < content.length || item.kind === "tool_call") continue;
    content.push(
      item.kind === "reasoning" ? { type: "reasoning", text, visibility: "public" } : { type: "text", text },
    );
  }
  return { ...item, status, content };
}
