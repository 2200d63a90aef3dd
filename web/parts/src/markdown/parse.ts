import type { Nodes, Root } from "mdast";
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
    const root = isTangled(piece) ? asCode(piece) : flattened(read(piece), piece);
    kept.set(piece, root);
    const [oldest] = kept.keys();
    if (kept.size > keptPieces && oldest !== undefined) kept.delete(oldest);
    return root;
  });
}

function read(piece: string): Root {
  return fromMarkdown(piece, {
    extensions: [gfmTable(), gfmStrikethrough(), gfmTaskListItem()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()],
  });
}

const nestedLine = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){30}/;
const mostMarks = 2_000;

/** A line of quotes in quotes, or a paragraph of nothing but marks: reading 3 kB of it would hold up the page for seconds. */
function isTangled(piece: string): boolean {
  let marks = 0;
  let inCode = false;
  for (const line of piece.split("\n")) {
    if (nestedLine.test(line)) return true;
    if (/^ {0,3}(?:`{3}|~{3})/.test(line)) inCode = !inCode;
    // Marks of one paragraph have to do with each other, not with those of the next.
    if (inCode || /^\s*$|^ {0,3}(?:#|[-+*] |1[.)] )/.test(line)) marks = 0;
    if (!inCode) marks += line.match(/[*_[`~]/g)?.length ?? 0;
    if (marks > mostMarks) return true;
  }
  return false;
}

function asCode(value: string): Root {
  return { type: "root", children: [{ type: "code", value }] };
}

/** Drawing goes as deep as the tree does, and the browser's stack does not. */
const deepest = 100;

/** What lies deeper than that is text. */
function flattened(root: Root, piece: string): Root {
  let level: Nodes[] = [root];
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    level = level.flatMap((node) => ("children" in node ? (node.children as Nodes[]) : []));
  }
  for (const node of level) {
    if (!("children" in node)) continue;
    const value = piece.slice(node.position?.start.offset, node.position?.end.offset);
    node.children = [{ type: "text", value }];
  }
  return root;
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
