import type { BlockContext } from "../blocks/block-context.ts";
import { itemLines } from "../blocks/item-lines.ts";
import { MarkdownStream } from "../blocks/markdown-stream.ts";
import { type Item, isDone } from "../transcript/items.ts";

export interface Written {
  readonly committed: readonly string[];
  readonly live: readonly string[];
}

/**
 * Writes the transcript into the terminal's own scrollback: what is finished is handed out once, in the order in which it
 * began; the rest is live. A command the person runs beside the agent does not hold up the agent's words: it is handed out
 * when it ends.
 */
export class NativeWriter {
  #next = 0;
  #running: number[] = [];
  #stream: MarkdownStream | undefined;
  /** The item the last committed line belongs to. */
  #before: Item | undefined;
  /** Lines of the text that streams are committed already. */
  #hasBegun = false;

  /** The items between these places are not written. */
  skip(from: number, to: number): void {
    if (this.#next === from) this.#next = to;
  }

  /** `rows` is the height of the terminal: an open block gives up its upper lines at half of it. */
  advance(items: readonly Item[], context: BlockContext, rows: number): Written {
    const committed = this.#endedCommands(items, context);
    let open: readonly string[] = [];
    for (; this.#next < items.length; this.#next++) {
      const item = items[this.#next];
      if (item === undefined) break;
      if (item.kind === "command" && !isDone(item)) {
        this.#running.push(this.#next);
      } else if (item.kind === "text" && (this.#stream !== undefined || item.withdrawn !== true)) {
        const streamed = this.#advanceText(item, context, rows);
        committed.push(...streamed.committed);
        open = streamed.live;
        if (!item.done) break;
        this.#stream = undefined;
      } else {
        if (!isDone(item)) break;
        committed.push(...this.#gapBefore(item), ...itemLines(item, context));
        if (item.kind !== "run") this.#before = item;
      }
    }
    return { committed, live: [...open, ...this.#liveLines(items, context)] };
  }

  #advanceText(item: Extract<Item, { kind: "text" }>, context: BlockContext, rows: number): Written {
    this.#stream ??= new MarkdownStream();
    const tall = Math.max(3, Math.floor(rows / 2));
    const { finished, open } = this.#stream.update(item.text, { done: item.done, tall, context });
    const gap = this.#before?.kind === "text" && this.#hasBegun ? [] : this.#gapBefore(item);
    if (finished.length === 0) return { committed: [], live: open.length === 0 ? [] : [...gap, ...open] };
    this.#before = item;
    this.#hasBegun = !item.done;
    return { committed: [...gap, ...finished], live: open };
  }

  #endedCommands(items: readonly Item[], context: BlockContext): string[] {
    const ended = this.#running.filter((at) => isEnded(items[at]));
    this.#running = this.#running.filter((at) => !ended.includes(at));
    return ended.flatMap((at) => {
      const item = items[at];
      if (item === undefined) return [];
      const lines = [...this.#gapBefore(item), ...itemLines(item, context)];
      this.#before = item;
      return lines;
    });
  }

  /** Everything that is not finished, in its own order. */
  #liveLines(items: readonly Item[], context: BlockContext): string[] {
    const places = [...this.#running, ...range(this.#next, items.length)];
    let before = this.#before;
    return places.flatMap((at) => {
      const item = items[at];
      // A text that streams is above; a question that is open has its dialog.
      if (item === undefined || (at === this.#next && item.kind === "text") || isAsked(item)) return [];
      const lines = itemLines(item, context);
      const gap = lines.length > 0 && needsGap(before, item) ? [""] : [];
      before = item;
      return [...gap, ...lines];
    });
  }

  #gapBefore(item: Item): string[] {
    return needsGap(this.#before, item) ? [""] : [];
  }
}

/** Calls, thoughts, agents and remarks stand close together; everything else has air around it. */
export function needsGap(before: Item | undefined, item: Item): boolean {
  if (item.kind === "run") return false;
  if (before === undefined) return item.kind !== "remark";
  const isClose = ({ kind }: Item) => kind === "tool" || kind === "reasoning" || kind === "agent" || kind === "remark";
  return !(isClose(before) && isClose(item));
}

export function isAsked(item: Item): boolean {
  return item.kind === "tool" && item.toolName === "ask_user" && !isDone(item);
}

function isEnded(item: Item | undefined): boolean {
  return item !== undefined && isDone(item);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
