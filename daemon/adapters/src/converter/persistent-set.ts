/**
 * A set for the state of a converter: adding gives a new one and leaves the old as it was, without copying all of it. It
 * is a list of sets, each at least twice as large as the next, so a turn with very many parts costs n log n, not n².
 */
export type PersistentSet<T> = readonly ReadonlySet<T>[];

export function addTo<T>(set: PersistentSet<T>, value: T): PersistentSet<T> {
  const sets = [...set];
  let added: ReadonlySet<T> = new Set([value]);
  for (let last = sets.at(-1); last !== undefined && last.size < 2 * added.size; last = sets.at(-1)) {
    added = new Set([...last, ...added]);
    sets.pop();
  }
  return [...sets, added];
}

export function isIn<T>(set: PersistentSet<T>, value: T): boolean {
  return set.some((part) => part.has(value));
}
