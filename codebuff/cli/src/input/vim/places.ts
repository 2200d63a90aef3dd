/** Places in a text of several lines, as vim counts them. An index is one of code units; half a character is no place. */

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line break stands, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export function firstLetter(text: string, at: number): number {
  const start = lineStart(text, at);
  const indent = /^[^\S\n]*/.exec(text.slice(start))?.[0].length ?? 0;
  return Math.min(start + indent, Math.max(start, lineEnd(text, at) - 1));
}

export function next(text: string, at: number): number {
  return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
}

export function before(text: string, at: number): number {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return Math.max(0, at - (isPair ? 2 : 1));
}

/** In normal mode the cursor stands on a letter, not behind the last one. */
export function onLetter(text: string, at: number): number {
  const start = lineStart(text, at);
  const end = lineEnd(text, at);
  return at < end || end === start ? at : before(text, end);
}

type Kind = "space" | "word" | "mark";

/** `isBig`: whatever is no blank is a word (W, B, E). */
function kindAt(text: string, at: number, isBig: boolean): Kind {
  const letter = text.slice(at, next(text, at));
  if (letter === "" || /\s/.test(letter)) return "space";
  return isBig || /[\p{L}\p{N}_]/u.test(letter) ? "word" : "mark";
}

/** Where the next word begins. */
export function wordAfter(text: string, from: number, isBig: boolean): number {
  let at = from;
  const kind = kindAt(text, at, isBig);
  while (at < text.length && kind !== "space" && kindAt(text, at, isBig) === kind) at = next(text, at);
  while (at < text.length && kindAt(text, at, isBig) === "space") at = next(text, at);
  return at;
}

/** Where the word before begins. */
export function wordBefore(text: string, from: number, isBig: boolean): number {
  let at = before(text, from);
  while (at > 0 && kindAt(text, at, isBig) === "space") at = before(text, at);
  const kind = kindAt(text, at, isBig);
  while (at > 0 && kindAt(text, before(text, at), isBig) === kind) at = before(text, at);
  return at;
}

/** The last letter of this word, or of the next one. */
export function wordEnd(text: string, from: number, isBig: boolean): number {
  let at = next(text, from);
  while (at < text.length && kindAt(text, at, isBig) === "space") at = next(text, at);
  const kind = kindAt(text, at, isBig);
  while (next(text, at) < text.length && kindAt(text, next(text, at), isBig) === kind) at = next(text, at);
  return Math.min(at, Math.max(0, text.length - 1));
}

/** The word or the blanks at a place; `isAround` takes the blanks behind a word too. */
export function wordAround(text: string, at: number, isBig: boolean, isAround: boolean): [number, number] {
  const kind = kindAt(text, at, isBig);
  const isSame = (one: number) => kindAt(text, one, isBig) === kind && text[one] !== "\n";
  let from = at;
  let to = at;
  while (from > lineStart(text, at) && isSame(before(text, from))) from = before(text, from);
  while (to < lineEnd(text, at) && isSame(to)) to = next(text, to);
  if (isAround) while (to < lineEnd(text, at) && kindAt(text, to, isBig) === "space") to = next(text, to);
  return [from, to];
}

const pairs: Readonly<Record<string, readonly [string, string]>> = {
  "(": ["(", ")"],
  ")": ["(", ")"],
  b: ["(", ")"],
  "{": ["{", "}"],
  "}": ["{", "}"],
  B: ["{", "}"],
  "[": ["[", "]"],
  "]": ["[", "]"],
  "<": ["<", ">"],
  ">": ["<", ">"],
};

/** What stands between quotes or brackets, with them when `isAround`; undefined when there are none around. */
export function enclosed(text: string, at: number, mark: string, isAround: boolean): [number, number] | undefined {
  const found = /["'`]/.test(mark) ? quoted(text, at, mark) : bracketed(text, at, pairs[mark]);
  if (found === undefined) return undefined;
  const [open, close] = found;
  return isAround ? [open, close + 1] : [open + 1, close];
}

function quoted(text: string, at: number, mark: string): [number, number] | undefined {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  const places: number[] = [];
  for (let one = start; one < end; one++) if (text[one] === mark && text[one - 1] !== "\\") places.push(one);
  for (let one = 0; one + 1 < places.length; one += 2) {
    const [open = 0, close = 0] = [places[one], places[one + 1]];
    if (at <= close) return [open, close];
  }
  return undefined;
}

function bracketed(
  text: string,
  at: number,
  pair: readonly [string, string] | undefined,
): [number, number] | undefined {
  if (pair === undefined) return undefined;
  const [opening, closing] = pair;
  let depth = 0;
  let open = text[at] === closing ? at - 1 : at;
  for (; open >= 0; open--) {
    if (text[open] === closing) depth++;
    if (text[open] !== opening) continue;
    if (depth === 0) break;
    depth--;
  }
  if (open < 0) return undefined;
  depth = 0;
  for (let close = open + 1; close < text.length; close++) {
    if (text[close] === opening) depth++;
    if (text[close] !== closing) continue;
    if (depth === 0) return [open, close];
    depth--;
  }
  return undefined;
}
