import { chunkOf, type FrameChunk, type FrameSource } from "@muster/http";
import type { FileChange } from "@muster/schema/wire";

/** Changes of files as frames; the id of each is its number. */
export class ChangeFrames implements FrameSource {
  readonly #changes: AsyncIterator<FileChange>;
  position = 0;

  constructor(changes: AsyncIterable<FileChange>) {
    this.#changes = changes[Symbol.asyncIterator]();
  }

  async next(): Promise<FrameChunk | null> {
    const { done, value } = await this.#changes.next();
    if (done === true) return null;
    this.position = value.number;
    return chunkOf([{ id: value.number, data: JSON.stringify(value) }]);
  }

  close(): void {
    // Nobody reads them any more: how the watching ends changes nothing for anybody.
    this.#changes.return?.().catch(() => {});
  }
}
