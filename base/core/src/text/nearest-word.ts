/** The word that was probably meant; undefined when none is near: more than a third of the letters, and more than two, differ. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => [wordDistance(given.toLowerCase(), word.toLowerCase()), word] as const)
    .sort(
      ([one, word], [other, second]) =>
        one - other || Math.abs(word.length - given.length) - Math.abs(second.length - given.length),
    );
  if (nearest === undefined) return undefined;
  const [distance, word] = nearest;
  return distance <= Math.max(2, Math.floor(word.length / 3)) && distance < word.length ? word : undefined;
}

/** How many letters have to be changed, added, left out or, with their neighbour, exchanged. */
export function wordDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, wanted] of [...other].entries()) {
      const change = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      const isExchanged = at > 0 && column > 0 && letter === other[column - 1] && one[at - 1] === wanted;
      const exchange = isExchanged ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(change, exchange, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
