import { toLf } from "./line-endings.ts";

/** The place of a text that looks most like what was searched, as numbered lines; undefined when nothing is alike. */
export function nearestText(text: string, searched: string): string | undefined {
  const lines = toLf(text).split("\n");
  const wanted = toLf(searched)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const anchor = wanted.toSorted((a, b) => b.trim().length - a.trim().length)[0];
  if (anchor === undefined || lines.length > 200_000) return undefined;
  const grams = bigrams(anchor);
  let best = { score: 0.4, line: -1 };
  lines.forEach((line, index) => {
    const score = likeness(grams, bigrams(line)) + neighbours(lines, wanted, anchor, index) * 0.1;
    if (score > best.score) best = { score, line: index };
  });
  if (best.line < 0) return undefined;
  const first = Math.max(0, best.line - wanted.indexOf(anchor) - 1);
  const last = Math.min(lines.length, first + wanted.length + 2, first + 40);
  return lines
    .slice(first, last)
    .map((line, index) => `${first + index + 1}: ${line.slice(0, 400)}`)
    .join("\n");
}

/** Of two places that look alike the one with the right lines around it is nearer. */
function neighbours(lines: readonly string[], wanted: readonly string[], anchor: string, index: number): number {
  const at = wanted.indexOf(anchor);
  const same = (offset: number) => {
    const line = wanted[at + offset]?.trim();
    return line !== undefined && lines[index + offset]?.trim() === line ? 1 : 0;
  };
  return same(-1) + same(1);
}

function bigrams(line: string): Map<string, number> {
  const squeezed = line.replace(/\s+/g, "").slice(0, 300);
  const grams = new Map<string, number>();
  for (let at = 0; at < squeezed.length - 1; at += 1) {
    const gram = squeezed.slice(at, at + 2);
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

function likeness(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [gram, count] of a) {
    shared += Math.min(count, b.get(gram) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
