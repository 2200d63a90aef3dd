import { cleanOutput, lostStart, unfinishedEnd } from "./clean-output.ts";
import type { Unread } from "./output-buffer.ts";

export interface BoundedText {
  text: string;
  truncated: boolean;
}

/** Cleaned text of at most about `limit` characters: the beginning and the end, with a count of what was between. */
export function boundedText(unread: Unread, limit: number): BoundedText {
  if (unread.dropped === 0) return shorten(cleanOutput(unread.head.toString("utf8")), limit);
  const head = cleanOutput(unread.head.subarray(0, unread.head.length - unfinishedEnd(unread.head)).toString("utf8"));
  const tail = cleanOutput(unread.tail.subarray(lostStart(unread.tail)).toString("utf8"));
  const half = Math.floor(limit / 2);
  const first = firstCharacters(head, half);
  const last = lastCharacters(tail, half);
  const removed = unread.dropped + (head.length - first.length) + (tail.length - last.length);
  return { text: join(first, `${removed} bytes`, last), truncated: true };
}

/** The last `limit` characters, with a count of what was cut off before them. */
export function tailText(unread: Unread, limit: number): BoundedText {
  const { text, truncated } = boundedText(unread, limit * 2);
  if (text.length <= limit) return { text, truncated };
  const last = lastCharacters(text, limit);
  return { text: `[… ${text.length - last.length + unread.dropped} characters removed …]\n${last}`, truncated: true };
}

function shorten(text: string, limit: number): BoundedText {
  if (text.length <= limit) return { text, truncated: false };
  const first = firstCharacters(text, Math.floor(limit / 2));
  const last = lastCharacters(text, Math.floor(limit / 2));
  return { text: join(first, `${text.length - first.length - last.length} characters`, last), truncated: true };
}

function join(first: string, removed: string, last: string): string {
  return `${first}\n[… ${removed} removed …]\n${last}`;
}

function firstCharacters(text: string, count: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(count - 1)) ? count - 1 : count);
}

function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  const start = text.length - count;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
