import { displayWidth } from "@muster/core";

/** A piece of text and how it is drawn. */
export interface Span {
  readonly text: string;
  readonly draw: (text: string) => string;
}

/** Spans as lines of at most this width, broken between words; a word that is longer than a line stays whole. */
export function wrapSpans(spans: readonly Span[], width: number): string[] {
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, draw } of spans) {
    for (const piece of text.split(/(\n|[ \t]+)/)) {
      if (piece === "") continue;
      const isSpace = /^[ \t]/.test(piece);
      const room = displayWidth(piece);
      if (piece === "\n" || (!isSpace && used > 0 && used + room > width)) {
        lines.push([]);
        used = 0;
      }
      if (piece === "\n" || (isSpace && used === 0)) continue;
      lines.at(-1)?.push({ text: piece, draw });
      used += room;
    }
  }
  return lines.map((line) => drawn(line));
}

/** Pieces of one style are drawn together: fewer sequences, and a space between two bold words is bold too. */
function drawn(line: readonly Span[]): string {
  let out = "";
  let text = "";
  let draw: Span["draw"] | undefined;
  for (const span of trimmed(line)) {
    if (span.draw !== draw && draw !== undefined) {
      out += draw(text);
      text = "";
    }
    draw = span.draw;
    text += span.text;
  }
  return draw === undefined ? out : out + draw(text);
}

function trimmed(line: readonly Span[]): readonly Span[] {
  let end = line.length;
  while (end > 0 && line[end - 1]?.text.trim() === "") end--;
  return line.slice(0, end);
}
