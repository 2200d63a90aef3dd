/** How the indentation of one text is written in another. Undefined as a result means: no sure answer. */
export interface IndentMap {
  translate(indent: string): string | undefined;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/**
 * Learns from pairs of the same line in both texts. Two levels that are different in one text must be different in the
 * other, in the same order: otherwise blocks would change their meaning, and there is no map.
 */
export function learnIndents(pairs: readonly { from: string; to: string }[]): IndentMap | undefined {
  const known = new Map<string, string>();
  for (const { from, to } of pairs) {
    const before = known.get(from);
    if (before !== undefined && before !== to) return undefined;
    known.set(from, to);
  }
  if (!keepsOrder([...known])) return undefined;
  const entries = [...known];
  return {
    translate(indent) {
      const seen = known.get(indent);
      if (seen !== undefined) return seen;
      // "4 is 8" alone may be a shift or another unit: only an answer without a rival counts.
      const answers = new Set(
        [byPrefix(entries, indent), ...byUnit(entries, indent)].filter((one) => one !== undefined),
      );
      return answers.size === 1 ? [...answers][0] : undefined;
    },
  };
}

function keepsOrder(entries: readonly (readonly [string, string])[]): boolean {
  const byWidth = entries.toSorted((a, b) => width(a[0]) - width(b[0]));
  return byWidth.every((entry, index) => {
    const next = byWidth[index + 1];
    if (next === undefined) return true;
    return width(entry[0]) < width(next[0]) && width(entry[1]) < width(next[1]);
  });
}

/** Every known pair differs by the same text in front: shifted as a block. */
function byPrefix(entries: readonly (readonly [string, string])[], indent: string): string | undefined {
  const shifts = entries.map(([from, to]) => {
    if (to.endsWith(from)) return { add: to.slice(0, to.length - from.length), cut: "" };
    if (from.endsWith(to)) return { add: "", cut: from.slice(0, from.length - to.length) };
    return undefined;
  });
  const first = shifts[0];
  if (first === undefined || !shifts.every((shift) => shift?.add === first.add && shift.cut === first.cut)) {
    return undefined;
  }
  // A blank line says nothing about the depth, and one common prefix of different characters would mix tabs and blanks.
  if (!sameCharacter([first.add, first.cut, indent, ...entries.flat()])) return undefined;
  if (first.cut !== "") return indent.startsWith(first.cut) ? indent.slice(first.cut.length) : undefined;
  return first.add + indent;
}

/** The two texts use another unit (tab, two blanks, four blanks …) and the same number of units. */
function byUnit(entries: readonly (readonly [string, string])[], indent: string): string[] {
  const answers: string[] = [];
  for (const unit of units) {
    const steps = stepsOf(indent, unit);
    if (steps === undefined) continue;
    for (const other of units) {
      const fits = entries.every(([from, to]) => {
        const count = stepsOf(from, unit);
        return count !== undefined && to === other.repeat(count);
      });
      // One unit deep must have been seen: "8 blanks are 2 tabs" alone leaves open how wide a tab is.
      if (unit !== other && fits && entries.some(([from]) => from === unit)) answers.push(other.repeat(steps));
    }
  }
  return answers;
}

const units = ["\t", "  ", "   ", "    ", "        "];

function stepsOf(indent: string, unit: string): number | undefined {
  const steps = indent.length / unit.length;
  return Number.isInteger(steps) && indent === unit.repeat(steps) ? steps : undefined;
}

function sameCharacter(texts: readonly string[]): boolean {
  return new Set(texts.join("")).size <= 1;
}

function width(indent: string): number {
  let columns = 0;
  for (const character of indent) columns += character === "\t" ? 8 - (columns % 8) : 1;
  return columns;
}
