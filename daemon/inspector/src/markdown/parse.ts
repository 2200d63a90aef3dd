import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

/** Longer texts are read in pieces, so that one that grows is not read from its beginning with every word. */
const pieceLength = 4_000;
const keptPieces = 300;
const kept = new Map<string, Root>();

/** The text as trees, one for each piece. */
export function parseMarkdown(text: string): Root[] {
  return markdownPieces(text).map((piece) => {
    const known = kept.get(piece);
    if (known !== undefined) return known;
    const root = fromMarkdown(piece, {
      extensions: [gfmTable(), gfmStrikethrough(), gfmTaskListItem()],
      mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()],
    });
    kept.set(piece, root);
    const [oldest] = kept.keys();
    if (kept.size > keptPieces && oldest !== undefined) kept.delete(oldest);
    return root;
  });
}

/** Cut at blank lines outside of code; a text that grows keeps all its pieces but the last. */
export function markdownPieces(text: string): string[] {
  if (text.length <= pieceLength) return [text];
  const pieces: string[] = [];
  let from = 0;
  let fence: string | undefined;
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const [mark] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark.trim();
      else if (mark.trim().startsWith(fence)) fence = undefined;
    }
    at += line.length;
    if (fence !== undefined || at - from < pieceLength || line.trim() !== "") continue;
    pieces.push(text.slice(from, at));
    from = at;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}
