import type { PrintModeEvent, PrintModeEventOf } from "@muster/codebuff-protocol";

/** Thoughts come in many small pieces; what is kept of them is one piece for each thought. */
export class JoinedThoughts {
  readonly #open = new Map<string | undefined, PrintModeEventOf<"reasoning_delta">>();

  /** The event as it is to be kept, after the thought that it ends. */
  take(event: PrintModeEvent): PrintModeEvent[] {
    if (event.type === "reasoning_delta") {
      const before = this.#open.get(event.agentId);
      this.#open.set(event.agentId, before === undefined ? event : { ...before, text: before.text + event.text });
      return [];
    }
    const agentId = "agentId" in event && typeof event.agentId === "string" ? event.agentId : undefined;
    const ended = event.type === "finish" ? [...this.#open.keys()] : [agentId];
    const thoughts = ended.flatMap((id) => this.#open.get(id) ?? []);
    for (const id of ended) this.#open.delete(id);
    return [...thoughts, event];
  }
}
