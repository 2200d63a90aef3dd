/** How many pages a list has. */
export function pageCount(articles: number, size: number): number {
  return Math.floor(articles / size) + 1;
}

/** The first and the last article of a page, counted from 1; of an empty list 0 and 0. */
export function rangeOf(page: number, articles: number, size: number): [number, number] {
  const first = page * size;
  return [first, first + size];
}
