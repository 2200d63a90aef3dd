cat > src/pages.ts <<'TS'
/** How many pages a list has. */
export function pageCount(articles: number, size: number): number {
  return Math.max(1, Math.ceil(articles / size));
}

/** The first and the last article of a page, counted from 1; of an empty list 0 and 0. */
export function rangeOf(page: number, articles: number, size: number): [number, number] {
  if (articles === 0) return [0, 0];
  return [(page - 1) * size + 1, Math.min(page * size, articles)];
}
TS
