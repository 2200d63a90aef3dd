import type { Body, Item } from "@muster/schema";
import type { BlockChunk, BlockKind, PartMetadata } from "./ui-chunk.ts";

interface Block {
  kind: BlockKind;
  id: string;
  itemId: string;
  isOpen: boolean;
  sentChars: number;
  /** How often it was opened: a block closed by a pause goes on under a new id. */
  openings: number;
}

/** Text and reasoning of one turn as blocks that are started, grow and end. */
export class BlockChunks {
  readonly #blocks = new Map<string, Block>();
  readonly #ofItem = new Map<string, Block[]>();

  grow(
    { itemId, index, delta }: Body<"item.delta">["data"],
    kind: BlockKind,
    metadata: PartMetadata | undefined,
  ): BlockChunk[] {
    return this.#send(this.#block(itemId, index, kind), delta, metadata);
  }

  /** The whole text of a part is known: what deltas have not told, and the end. */
  complete(item: Item, index: number, kind: BlockKind, text: string, metadata: PartMetadata): BlockChunk[] {
    const block = this.#block(item.itemId, index, kind);
    const chunks = this.#send(block, text.slice(block.sentChars), metadata);
    return [...chunks, ...this.#end(block)];
  }

  /** Ends the blocks that are open; of one item, or all of them. */
  close(itemId?: string): BlockChunk[] {
    const blocks = itemId === undefined ? [...this.#blocks.values()] : (this.#ofItem.get(itemId) ?? []);
    return blocks.flatMap((block) => this.#end(block));
  }

  #block(itemId: string, index: number, kind: BlockKind): Block {
    const key = `${itemId}.${index}`;
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    const block = { kind, id: key, itemId, isOpen: false, sentChars: 0, openings: 0 };
    this.#blocks.set(key, block);
    this.#ofItem.set(itemId, [...(this.#ofItem.get(itemId) ?? []), block]);
    return block;
  }

  #send(block: Block, delta: string, metadata: PartMetadata | undefined): BlockChunk[] {
    if (delta === "") return [];
    const chunks: BlockChunk[] = [];
    if (!block.isOpen) {
      block.isOpen = true;
      block.openings++;
      if (block.openings > 1) block.id = `${block.id.split("~", 1)[0]}~${block.openings}`;
      const providerMetadata = metadata ?? { muster: { itemId: block.itemId } };
      chunks.push({ type: `${block.kind}-start`, id: block.id, providerMetadata });
    }
    block.sentChars += delta.length;
    chunks.push({ type: `${block.kind}-delta`, id: block.id, delta });
    return chunks;
  }

  #end(block: Block): BlockChunk[] {
    if (!block.isOpen) return [];
    block.isOpen = false;
    return [{ type: `${block.kind}-end`, id: block.id }];
  }
}
