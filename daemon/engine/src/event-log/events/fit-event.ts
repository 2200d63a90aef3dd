/** What an event says about itself when it did not fit: the longest thing that was cut, and all bytes cut away. */
export interface Truncated {
  field: string;
  bytes: number;
}

interface Place {
  holder: Record<string, unknown>;
  key: string;
  field: string;
  text: string;
  /** Bytes of the text inside JSON, without its quotes. */
  size: number;
}

/** Strings are not cut below this: then the size is not in the strings. */
const shortest = 64;
const longestField = 200;
/** Every step down measures all that is left, so a deep nesting is not followed to its end. */
const deepestDrop = 16;

/**
 * A copy of `data` whose JSON has at most `limit` bytes. The longest strings are cut first, down to one common
 * length; where the size is not in strings (a million numbers), the container that holds it loses its last entries.
 */
export function fitData(data: unknown, limit: number): { data: unknown; truncated: Truncated } {
  const before = jsonBytes(data);
  const root: Record<string, unknown> = { data: JSON.parse(JSON.stringify(data)) };
  const places = stringsIn(root).sort((one, other) => other.size - one.size);
  const level = commonLength(places, before - limit);
  let field = places[0]?.field ?? "data";
  for (const place of places) {
    if (place.size <= level) break;
    place.holder[place.key] = cutText(place.text, level);
  }
  if (jsonBytes(root.data) > limit) field = dropEntries(root, limit);
  const bytes = Math.max(1, before - jsonBytes(root.data));
  return { data: root.data, truncated: { field: cutText(field, longestField), bytes } };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** Every string worth cutting, with its path; a stack of its own, because data may nest deeper than ours. */
function stringsIn(root: Record<string, unknown>): Place[] {
  const found: Place[] = [];
  const open: { holder: Record<string, unknown>; path: string }[] = [{ holder: root, path: "" }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { holder, path } = top;
    for (const [key, value] of Object.entries(holder)) {
      const field = path === "" ? key : `${path}.${key}`;
      if (typeof value === "string" && value.length >= shortest) {
        found.push({ holder, key, field, text: value, size: jsonBytes(value) - 2 });
      } else if (typeof value === "object" && value !== null) {
        open.push({ holder: value as Record<string, unknown>, path: field });
      }
    }
  }
  return found;
}

/** The length to which the longest strings have to come down so that `excess` bytes go away. */
function commonLength(places: readonly Place[], excess: number): number {
  let sum = 0;
  for (const [index, place] of places.entries()) {
    sum += place.size;
    const level = Math.floor((sum - excess) / (index + 1));
    if (level >= (places[index + 1]?.size ?? shortest)) return level;
  }
  return shortest;
}

/** The longest beginning of `text` that takes at most `bytes` inside JSON; a surrogate pair stays whole. */
export function cutText(text: string, bytes: number): string {
  let used = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    used += escapedBytes(code);
    if (used > bytes) return text.slice(0, index);
    index += code > 0xffff ? 2 : 1;
  }
  return text;
}

function escapedBytes(code: number): number {
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x20) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 2 : 6;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code <= 0xdfff) return 6;
  return code > 0xffff ? 4 : 3;
}

/** Walks to the container that holds the size and drops its last entries; tells where that was. */
function dropEntries(root: Record<string, unknown>, limit: number): string {
  // One more than necessary: the only entry of a container has no comma to lose.
  const excess = jsonBytes(root.data) - limit + 1;
  let [holder, key, field] = [root, "data", "data"];
  for (let depth = 0; depth < deepestDrop; depth++) {
    const container = holder[key] as Record<string, unknown>;
    const largest = largestContainer(container);
    if (largest === undefined || largest.size <= excess) break;
    [holder, key, field] = [container, largest.key, `${field}.${largest.key}`];
  }
  const container = holder[key] as Record<string, unknown> | unknown[];
  const entries = Object.entries(container);
  const isArray = Array.isArray(container);
  for (let gone = 0; gone < excess && entries.length > 0; ) {
    const [name, value] = entries.pop() ?? [];
    gone += jsonBytes(value) + 1 + (isArray ? 0 : jsonBytes(name) + 1);
  }
  holder[key] = isArray ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  return field;
}

function largestContainer(container: object): { key: string; size: number } | undefined {
  let largest: { key: string; size: number } | undefined;
  for (const [key, value] of Object.entries(container)) {
    if (typeof value !== "object" || value === null) continue;
    const size = jsonBytes(value);
    if (size > (largest?.size ?? 0)) largest = { key, size };
  }
  return largest;
}
