import { endOfJsonString } from "@muster/node";

/** A member of a JSON object as it stands in the text: from the quote of its key to the end of its value. */
export interface Member {
  readonly key: string;
  readonly from: number;
  readonly valueFrom: number;
  readonly to: number;
}

/** The members of an object whose text is known to be JSON. Keys are as written: an escape in one is not resolved. */
export function membersOf(json: Buffer): Member[] {
  const members: Member[] = [];
  let at = json.indexOf(brace) + 1;
  for (;;) {
    const from = json.indexOf(quote, at);
    if (from === -1) return members;
    const keyEnd = endOfJsonString(json, from + 1);
    const valueFrom = json.indexOf(colon, keyEnd) + 1;
    const to = endOfValue(json, valueFrom);
    members.push({ key: json.toString("utf8", from + 1, keyEnd), from, valueFrom, to });
    at = to + 1;
  }
}

/** The first byte behind a value that stands in an object. */
function endOfValue(json: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const code = json[at];
    if (code === quote) at = endOfJsonString(json, at + 1);
    else if (code === brace || code === bracket) depth++;
    else if (code === endBrace || code === endBracket) {
      if (depth-- === 0) return at;
    } else if (code === comma && depth === 0) return at;
  }
  return json.length;
}

/** Objects and arrays within each other, at most. Also of text that may not be JSON. */
export function depthOf(json: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json[at];
    if (code === quote) at = endOfJsonString(json, at + 1);
    else if (code === brace || code === bracket) deepest = Math.max(deepest, ++depth);
    else if (code === endBrace || code === endBracket) depth--;
  }
  return deepest;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const bracket = 0x5b;
const endBracket = 0x5d;
const brace = 0x7b;
const endBrace = 0x7d;
