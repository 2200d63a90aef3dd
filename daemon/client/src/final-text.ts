import type { UniversalEvent } from "./generated/types.ts";

/** The answer of a turn: what its agent marked as final, else the last message of the agent itself. */
export class FinalText {
  text = "";
  #isFinal = false;

  see(event: UniversalEvent): void {
    if (event.type !== "item.completed") return;
    const { kind, role, parentId, phase, status, content } = event.data.item;
    if (kind !== "message" || role !== "assistant" || parentId !== undefined) return;
    const isFinal = phase === "final";
    if (status === "cancelled" || (this.#isFinal && !isFinal)) return;
    this.text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    this.#isFinal = isFinal;
  }
}
