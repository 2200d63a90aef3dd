import { lexer, type Token, type Tokens } from "marked";
import type { BlockContext } from "./block-context.ts";
import { blockLines, withoutPlanTags } from "./markdown.ts";

export interface StreamedLines {
  /** Will not change any more. */
  readonly finished: readonly string[];
  /** The block that is still being written. */
  readonly open: readonly string[];
}

/**
 * A text that grows. All blocks but the last are finished as soon as the next one begins, and only the last is read again.
 * A block that grows tall gives up its upper lines and keeps its width until it ends; a table waits until it is whole.
 */
export class MarkdownStream {
  /** How much of the text is in finished lines. */
  #read = 0;
  /** The fence of a code block whose upper lines are finished: its rest is read as if it began there. */
  #fence = "";
  /** Lines of the open block that are finished, and the width they were wrapped to. */
  #given: { lines: number; width: number } | undefined;
  #hasLines = false;

  /** The whole text so far; `tall` is how many lines an open block may have. */
  update(text: string, { done, tall, context }: { done: boolean; tall: number; context: BlockContext }): StreamedLines {
    const fence = this.#fence;
    const blocks = lexer(fence + withoutPlanTags(text).slice(this.#read));
    // A blank line ends nothing yet: a list may go on after it.
    if (!done && blocks.at(-1)?.type === "space") blocks.pop();
    const ended = done ? blocks : blocks.slice(0, -1);
    const finished = ended.flatMap((block) => this.#finish(block, context));
    if (ended.length > 0) this.#read += ended.reduce((length, { raw }) => length + raw.length, -fence.length);
    const last = done ? undefined : blocks.at(-1);
    if (last === undefined) return { finished, open: [] };
    const lines = this.#openLines(last, context);
    const gap = this.#gapBefore(lines);
    if (lines.length <= tall || last.type === "table") return { finished, open: [...gap, ...lines] };
    const shed = this.#shed(last, lines, context);
    this.#hasLines = true;
    return { finished: [...finished, ...gap, ...shed.finished], open: shed.open };
  }

  #finish(block: Token, context: BlockContext): string[] {
    if (block.type === "space" || block.type === "def") return [];
    const own = this.#openLines(block, context);
    const lines = [...this.#gapBefore(own), ...own];
    this.#hasLines = true;
    this.#given = undefined;
    this.#fence = "";
    return lines;
  }

  /** The lines of a block that are not finished yet. */
  #openLines(block: Token, context: BlockContext): string[] {
    const width = this.#given?.width ?? context.width;
    const lines = blockLines(block, { ...context, width }).slice(this.#given?.lines ?? 0);
    // The rest of a code block begins with a fence that nobody wrote twice.
    if (this.#fence !== "") lines.shift();
    if (block.type === "code" && !isClosed(block as Tokens.Code)) lines.pop();
    return lines;
  }

  #shed(block: Token, lines: string[], context: BlockContext): { finished: string[]; open: string[] } {
    if (block.type === "code") return this.#shedCode(block as Tokens.Code, lines);
    const keep = Math.min(3, lines.length - 1);
    const finished = lines.slice(0, -keep);
    this.#given = { lines: (this.#given?.lines ?? 0) + finished.length, width: this.#given?.width ?? context.width };
    return { finished, open: lines.slice(-keep) };
  }

  /** Every whole line of code is finished; what follows is read as a block of the same language. */
  #shedCode(block: Tokens.Code, lines: string[]): { finished: string[]; open: string[] } {
    const end = block.raw.lastIndexOf("\n");
    const fence = block.raw.slice(0, block.raw.indexOf("\n") + 1);
    const open = block.raw.length - end - 1;
    this.#read += end + 1 - this.#fence.length;
    this.#fence = fence;
    const kept = open > 0 ? 1 : 0;
    return { finished: lines.slice(0, lines.length - kept), open: kept === 0 ? [] : lines.slice(-1) };
  }

  /** A blank line between two blocks; none before the rest of a block that has begun. */
  #gapBefore(lines: readonly string[]): string[] {
    const continues = this.#given !== undefined || this.#fence !== "";
    return this.#hasLines && !continues && lines.length > 0 ? [""] : [];
  }
}

function isClosed({ raw, codeBlockStyle }: Tokens.Code): boolean {
  if (codeBlockStyle === "indented") return true;
  const [fence = ""] = /^[`~]{3,}/.exec(raw.trimStart()) ?? [];
  return fence === "" || new RegExp(`\\n\\s*${fence}[\`~]*\\s*$`).test(raw);
}
