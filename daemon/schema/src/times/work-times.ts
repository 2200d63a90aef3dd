import type { UniversalEvent } from "../universal-event.ts";

/** A time in which an item worked, in ms since 1970; without an end it goes on. */
export interface Stretch {
  from: number;
  to?: number;
}

interface Worker {
  parentId: string | undefined;
  stretches: Stretch[];
  /** Requests that a person has not answered yet. */
  waits: number;
  isOver: boolean;
}

/**
 * When each item worked: from its start to its end, without the times in which a person was asked on its behalf, or on behalf of
 * an item inside it. Every duration of a tool that is shown comes from here, so that a person who thinks is no slow tool.
 */
export class WorkTimes {
  readonly #workers = new Map<string, Worker>();
  /** Request → the item it was asked for. */
  readonly #asked = new Map<string, string>();

  /** Takes the events of one session in their order. */
  push(event: UniversalEvent): void {
    const at = Date.parse(event.time);
    switch (event.type) {
      case "item.started":
        return this.#start(event.data.item, at);
      case "item.completed":
        return this.#end(event.data.item.itemId, at);
      case "permission.requested":
        return this.#ask(event.data.permissionId, event.data.itemId, at);
      case "question.requested":
        return this.#ask(event.data.questionId, event.data.itemId, at);
      case "permission.resolved":
        return this.#answer(event.data.permissionId, at);
      case "question.resolved":
        return this.#answer(event.data.questionId, at);
      case "turn.ended":
        return this.#forgetEnded();
    }
  }

  /** The stretches of an item, the oldest first; none for one whose start was not seen, or whose turn is over. */
  of(itemId: string): readonly Stretch[] {
    return this.#workers.get(itemId)?.stretches ?? [];
  }

  #start({ itemId, parentId }: { itemId: string; parentId?: string | undefined }, from: number): void {
    this.#workers.set(itemId, { parentId, stretches: [{ from }], waits: 0, isOver: false });
  }

  #end(itemId: string, to: number): void {
    const worker = this.#workers.get(itemId);
    if (worker === undefined) return;
    pause(worker, to);
    worker.isOver = true;
  }

  #ask(requestId: string, itemId: string | undefined, at: number): void {
    if (itemId === undefined) return;
    this.#asked.set(requestId, itemId);
    for (const worker of this.#upFrom(itemId)) if (worker.waits++ === 0) pause(worker, at);
  }

  #answer(requestId: string, from: number): void {
    const itemId = this.#asked.get(requestId);
    this.#asked.delete(requestId);
    if (itemId === undefined) return;
    for (const worker of this.#upFrom(itemId)) {
      if (--worker.waits === 0 && !worker.isOver) worker.stretches.push({ from });
    }
  }

  /** A session may go on for weeks. */
  #forgetEnded(): void {
    for (const [itemId, { isOver }] of this.#workers) if (isOver) this.#workers.delete(itemId);
  }

  /** The item and those it is inside of. */
  *#upFrom(itemId: string): Generator<Worker> {
    const seen = new Set<string>();
    for (let at: string | undefined = itemId; at !== undefined && !seen.has(at); ) {
      seen.add(at);
      const worker = this.#workers.get(at);
      if (worker !== undefined) yield worker;
      at = worker?.parentId;
    }
  }
}

function pause({ stretches }: Worker, to: number): void {
  const last = stretches.at(-1);
  if (last !== undefined) last.to ??= to;
}

/** How long these are together; one without an end lasts until `now`, or is not counted. */
export function workMs(stretches: readonly Stretch[], now?: number): number {
  return stretches.reduce((sum, { from, to = now ?? from }) => sum + Math.max(0, to - from), 0);
}
