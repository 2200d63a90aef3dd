/** Keeps head and tail, 80 to 20, and says how much is gone. Never longer than `limit`, never half a surrogate pair. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `\n[… ${text.length - limit} characters left out …]\n`;
  const room = limit - mark.length - 8;
  if (room < 40) return wholeCharacters(text.slice(0, Math.max(0, limit)));
  const head = wholeCharacters(text.slice(0, Math.ceil(room * 0.8)));
  const tail = text.slice(text.length - Math.floor(room * 0.2));
  return `${head}${mark}${/^[\uDC00-\uDFFF]/.test(tail) ? tail.slice(1) : tail}`;
}

function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}

/** The largest cap under which texts of these lengths fit into `total` together: short ones stay whole. */
export function fairCap(lengths: readonly number[], total: number): number {
  let left = total;
  const sorted = [...lengths].sort((one, other) => one - other);
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index));
    if (length > share) return Math.max(0, share);
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}
