/** Nobody's tool needs more; everything that walks a value downwards, JSON.stringify too, runs out of stack somewhere. */
const mostLevels = 256;

/** JSON of an agent. Throws for what is no JSON, and for what is nested deeper than anybody means. */
export function parseLine(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // A short line cannot be deep: the hot path is not walked.
  if (text.length > 2 * mostLevels && isDeeper(value, mostLevels)) {
    throw new SyntaxError(`It is nested deeper than ${mostLevels} levels`);
  }
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
