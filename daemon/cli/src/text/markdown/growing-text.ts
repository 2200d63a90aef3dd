import { blockLines, blocksOf, isShown, type MarkdownStyle } from "./markdown-lines.ts";
import { wrapSpans } from "./spans.ts";

/** A text that is still being written. */
export interface GrowingText {
  /** Adds to it; gives the lines that are finished with it. */
  add(text: string): string[];
  /** The lines that may still change. */
  open(): string[];
  /** The rest, when there will be no more. */
  end(): string[];
}

/** Markdown: a block is finished when the next one has begun. */
export function growingMarkdown(style: MarkdownStyle): GrowingText {
  let rest = "";
  let hasLines = false;
  const finish = (blocks: ReturnType<typeof blocksOf>): string[] =>
    blocks.filter(isShown).flatMap((block) => {
      const lines = blockLines(block, style);
      const all = hasLines ? ["", ...lines] : lines;
      hasLines = true;
      return all;
    });
  const open = () => {
    const shown = blocksOf(rest).filter(isShown);
    return shown.flatMap((block, at) => [...(hasLines || at > 0 ? [""] : []), ...blockLines(block, style)]);
  };
  return {
    add(text) {
      rest += text;
      // Only a new line can begin a block.
      if (!text.includes("\n")) return [];
      const blocks = blocksOf(rest);
      // A blank line ends nothing yet: a list may go on after it.
      const last = blocks.findLastIndex(isShown);
      const done = blocks.slice(0, Math.max(0, last));
      rest = rest.slice(done.reduce((length, { raw }) => length + raw.length, 0));
      return finish(done);
    },
    open,
    end() {
      const lines = finish(blocksOf(rest));
      rest = "";
      return lines;
    },
  };
}

/** Text as it is: a line is finished at its end. */
export function growingLines(width: number, draw = (text: string) => text): GrowingText {
  let rest = "";
  const lines = (text: string) => wrapSpans([{ text, draw }], width);
  return {
    add(text) {
      const all = (rest + text).split("\n");
      rest = all.pop() ?? "";
      return all.map(draw);
    },
    open: () => (rest === "" ? [] : lines(rest)),
    end() {
      const last = rest === "" ? [] : [draw(rest)];
      rest = "";
      return last;
    },
  };
}
