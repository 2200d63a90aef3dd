import { displayWidth, type Paint } from "@muster/core";
import { lexer, type Token, type Tokens } from "marked";
import { type Span, wrapSpans } from "./spans.ts";

/** How a Markdown text is drawn. */
export interface MarkdownStyle {
  readonly paint: Paint;
  readonly width: number;
}

/** Prose that is wider than this is hard to read. */
const proseWidth = 100;

/** The blocks of a text; blank space and definitions are none. */
export function blocksOf(text: string): Token[] {
  return lexer(text);
}

export function isShown({ type }: Token): boolean {
  return type !== "space" && type !== "def" && type !== "checkbox";
}

/** A block as lines: prose is wrapped, a line of code stays one line. */
export function blockLines(block: Token, style: MarkdownStyle): string[] {
  const { paint } = style;
  const width = Math.min(style.width, proseWidth);
  switch (block.type) {
    case "heading":
      return wrapSpans(spansOf((block as Tokens.Heading).tokens, paint, paint.bold), width);
    case "code":
      return (block as Tokens.Code).text.split("\n").map((line) => `    ${paint.cyan(line)}`);
    case "table":
      return tableLines(block as Tokens.Table, { paint, width: style.width });
    case "list":
      return listLines(block as Tokens.List, style);
    case "blockquote":
      return blocksLines((block as Tokens.Blockquote).tokens, { paint, width: width - 2 }).map(
        (line) => `${paint.dim("│")} ${line}`,
      );
    case "hr":
      return [paint.dim("─".repeat(Math.min(width, 20)))];
    default:
      return wrapSpans(spansOf("tokens" in block && block.tokens ? block.tokens : [block], paint), width);
  }
}

/** Several blocks with a blank line between them. */
function blocksLines(blocks: readonly Token[], style: MarkdownStyle): string[] {
  return blocks.filter(isShown).flatMap((block, at) => [...(at === 0 ? [] : [""]), ...blockLines(block, style)]);
}

function listLines({ items, ordered, start }: Tokens.List, style: MarkdownStyle): string[] {
  return items.flatMap((item, at) => {
    const box = item.task ? (item.checked === true ? "[x] " : "[ ] ") : "";
    const mark = `${ordered ? `${Number(start || 1) + at}.` : "•"} ${box}`;
    const inner = { ...style, width: style.width - displayWidth(mark) };
    const lines = item.tokens.filter(isShown).flatMap((block) => blockLines(block, inner));
    const indent = " ".repeat(displayWidth(mark));
    return (lines.length === 0 ? [""] : lines).map((line, row) => `${row === 0 ? mark : indent}${line}`.trimEnd());
  });
}

const gap = "  ";

/** Columns as wide as their cells; where that is too much the widest give way and wrap. */
function tableLines({ header, rows }: Tokens.Table, { paint, width }: MarkdownStyle): string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => spansOf(tokens, paint)));
  const widths = header.map((_, at) => Math.max(1, ...cells.map((row) => widthOf(row[at] ?? []))));
  for (let over = widths.reduce((sum, one) => sum + one + gap.length, -gap.length) - width; over > 0; over--) {
    const widest = Math.max(...widths);
    if (widest <= 4) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  const [head = [], ...body] = cells.map((row) => rowLines(row, widths));
  return [...head.map(paint.bold), paint.dim(widths.map((one) => "─".repeat(one)).join(gap)), ...body.flat()];
}

function rowLines(row: readonly (readonly Span[])[], widths: readonly number[]): string[] {
  const plain = (text: string) => text;
  const wrapped = row.map((cell, at) => wrapSpans(cell, widths[at] ?? 1));
  const bare = row.map((cell, at) =>
    wrapSpans(
      cell.map(({ text }) => ({ text, draw: plain })),
      widths[at] ?? 1,
    ),
  );
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, at) => (lines[line] ?? "") + " ".repeat(room(widths[at] ?? 0, bare[at]?.[line] ?? "")))
      .join(gap)
      .trimEnd(),
  );
}

function room(width: number, text: string): number {
  return Math.max(0, width - displayWidth(text));
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Inline tokens as spans; what stands inside a style keeps the outer one where it has none of its own. */
function spansOf(tokens: readonly Token[], paint: Paint, draw: Span["draw"] = same): Span[] {
  return tokens.flatMap((token): Span[] => {
    const inner = "tokens" in token && token.tokens !== undefined ? token.tokens : undefined;
    switch (token.type) {
      case "strong":
        return spansOf(inner ?? [], paint, paint.bold);
      case "codespan":
        return [{ text: decode(token.text), draw: paint.cyan }];
      case "br":
        return [{ text: "\n", draw }];
      case "link": {
        const shown = spansOf(inner ?? [], paint, draw);
        const isSame = shown.map(({ text }) => text).join("") === token.href;
        return isSame ? shown : [...shown, { text: ` (${token.href})`, draw: paint.dim }];
      }
      case "image":
        return [{ text: `[image ${token.text || token.href}]`, draw: paint.dim }];
      case "escape":
        return [{ text: token.text, draw }];
      default:
        return inner === undefined ? [{ text: decode(token.raw), draw }] : spansOf(inner, paint, draw);
    }
  });
}

const same = (text: string) => text;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "");
}
