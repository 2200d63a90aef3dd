import type { HarnessV1StreamPart } from "@ai-sdk/harness";

export type BlockKind = "text" | "reasoning";

interface Block {
  kind: BlockKind;
  itemId: string;
  index: number;
  isOpen: boolean;
  toldChars: number;
  openings: number;
}

/** Text and reasoning of one turn. A block that a pause or a step has closed goes on under a new id. */
export class Blocks {
  readonly #blocks = new Map<string, Block>();

  grow(at: { itemId: string; index: number }, kind: BlockKind, delta: string): HarnessV1StreamPart[] {
    return this.#tell(this.#at(at, kind), delta);
  }

  /** The whole text is known: what deltas have not told, and the end. */
  complete(at: { itemId: string; index: number }, kind: BlockKind, text: string): HarnessV1StreamPart[] {
    const block = this.#at(at, kind);
    return [...this.#tell(block, text.slice(block.toldChars)), ...end(block)];
  }

  close(itemId?: string): HarnessV1StreamPart[] {
    return [...this.#blocks.values()].filter((block) => itemId === undefined || block.itemId === itemId).flatMap(end);
  }

  #at({ itemId, index }: { itemId: string; index: number }, kind: BlockKind): Block {
    const key = `${itemId}.${index}`;
    const block = this.#blocks.get(key) ?? { kind, itemId, index, isOpen: false, toldChars: 0, openings: 0 };
    this.#blocks.set(key, block);
    return block;
  }

  #tell(block: Block, delta: string): HarnessV1StreamPart[] {
    if (delta === "") return [];
    const start: HarnessV1StreamPart[] = [];
    if (!block.isOpen) {
      block.isOpen = true;
      block.openings++;
      start.push({ type: `${block.kind}-start`, id: idOf(block) });
    }
    block.toldChars += delta.length;
    return [...start, { type: `${block.kind}-delta`, id: idOf(block), delta }];
  }
}

function end(block: Block): HarnessV1StreamPart[] {
  if (!block.isOpen) return [];
  block.isOpen = false;
  return [{ type: `${block.kind}-end`, id: idOf(block) }];
}

function idOf({ itemId, index, openings }: Block): string {
  return openings === 1 ? `${itemId}.${index}` : `${itemId}.${index}~${openings}`;
}
