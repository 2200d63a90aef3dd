import type { PrintModeEvent } from "@muster/codebuff-protocol";
import type { StreamChunk } from "../setup/options.ts";

export type StreamedEvent = PrintModeEvent & { sessionId: string; seq: number };

/** Events as they come, for one reader. Texts are deltas; what was said before the reader came waits for it. */
export class EventStream implements AsyncIterable<StreamedEvent> {
  readonly #sessionId: string;
  readonly #onLeave: () => void;
  #waiting: StreamedEvent[] = [];
  #seq = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(sessionId: string, onLeave: () => void) {
    this.#sessionId = sessionId;
    this.#onLeave = onLeave;
  }

  /** Whole blocks of text are left out: their deltas have been given. */
  addEvent(event: PrintModeEvent): void {
    if (event.type !== "text") this.#add(event);
  }

  addChunk(chunk: StreamChunk): void {
    if (typeof chunk === "string") this.#add({ type: "text", text: chunk });
    else if (chunk.type === "subagent_chunk") this.#add({ type: "text", text: chunk.chunk, agentId: chunk.agentId });
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedEvent> {
    try {
      for (;;) {
        for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) yield next;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      // A reader that stops reading ends the run; after its end this does nothing.
      this.#onLeave();
    }
  }

  #add(event: PrintModeEvent): void {
    this.#waiting.push({ ...event, sessionId: this.#sessionId, seq: ++this.#seq });
    this.#wake?.();
  }
}
