import type { Node } from "web-tree-sitter";
import { decodeAnsiC } from "./ansi-c-string.ts";
import { expandBraces } from "./brace-expansion.ts";
import type { ShellWord } from "./shell-word.ts";

/** A node as the words bash makes of it: quotes taken away, braces expanded, everything else left as it is written. */
export function wordsOf(node: Node): ShellWord[] {
  const { text, sure, splits } = encode(node);
  const pieces = text.includes(separator) ? text.split(separator).filter((piece) => piece !== "") : [text];
  return pieces.flatMap(expandBraces).map((one) => ({ text: reveal(one), sure, glob: /[*?[]/.test(one), splits }));
}

export function wordOf(node: Node): ShellWord {
  const { text, sure, splits } = encode(node);
  return { text: reveal(text), sure, splits, glob: /[*?[]/.test(text) };
}

/** What a shell reads from a text in double quotes or in a here-document. */
export function unescapeQuoted(text: string): string {
  return text.replace(/\\(["\\$`])/g, "$1");
}

interface Encoded {
  readonly text: string;
  readonly sure: boolean;
  readonly splits?: true;
}

/** Quoted characters that mean something unquoted are hidden in a private range until braces are expanded. */
const special = "{},*?[]";
const hidden = 0xe000;

/** Stands for an unquoted `$IFS`, where bash splits words: `rm${IFS}-rf` is two of them. */
const separator = "\ue007";

function hide(text: string): string {
  return text.replace(/[{},*?[\]]/g, (character) => String.fromCharCode(hidden + special.indexOf(character)));
}

function reveal(text: string): string {
  return text
    .replaceAll(separator, " ")
    .replace(/[\ue000-\ue006]/g, (character) => special[character.charCodeAt(0) - hidden] ?? "");
}

function encode(node: Node): Encoded {
  switch (node.type) {
    case "raw_string":
      return { text: hide(node.text.slice(1, -1)), sure: true };
    case "ansi_c_string":
      return { text: hide(decodeAnsiC(node.text.slice(2, -1))), sure: true };
    case "string":
    case "translated_string":
      return unquotedText(node);
    case "concatenation":
    case "command_name":
      return joinParts(node);
    case "word":
    case "number":
    case "variable_name":
    case "test_operator":
    case "brace_expression":
      return { text: unescapeWord(node.text), sure: !/[$`]/.test(node.text.replaceAll(/\\./gs, "")) };
    default:
      if (/^\$(?:IFS|\{IFS[^}]*\})$/.test(node.text)) return { text: separator, sure: true };
      return { text: hide(node.text), sure: false, splits: true };
  }
}

function joinParts(node: Node): Encoded {
  const parts = node.children.flatMap((child) => (child === null ? [] : [encodeChild(child)]));
  const splits = parts.some((part) => part.splits) || undefined;
  return { text: parts.map((part) => part.text).join(""), sure: parts.every((part) => part.sure), splits };
}

function encodeChild(child: Node): Encoded {
  return child.isNamed ? encode(child) : { text: unescapeWord(child.text), sure: true };
}

/** Blanks beside an expansion are in no child of the string, so the text between the children is taken as it stands. */
function unquotedText(node: Node): Encoded {
  const source = node.text;
  const open = source.indexOf('"') + 1;
  let text = "";
  let sure = open === 1;
  let at = open;
  for (const child of node.namedChildren) {
    if (child === null || child.type === "string_content") continue;
    const start = child.startIndex - node.startIndex;
    text += hide(unescapeQuoted(source.slice(at, start))) + hide(child.text);
    sure = false;
    at = start + child.text.length;
  }
  const end = source.endsWith('"') && source.length > open ? source.length - 1 : source.length;
  return { text: text + hide(unescapeQuoted(source.slice(at, end))), sure };
}

function unescapeWord(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) => (character === "\n" ? "" : hide(character)));
}
