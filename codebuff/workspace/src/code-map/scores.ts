import type { FileSymbols } from "./symbol-parser.ts";

export interface Callers {
  /** Files that use the name and do not only define it, sorted. */
  readonly files: string[];
  count: number;
  readonly countIn: Map<string, number>;
}

/** Who uses which name that some file defines. */
export function callersOf(symbols: ReadonlyMap<string, FileSymbols>): Map<string, Callers> {
  const defined = new Set([...symbols.values()].flatMap((file) => file.defs));
  const callers = new Map<string, Callers>();
  for (const file of [...symbols.keys()].sort()) {
    for (const [name, count] of Object.entries(symbols.get(file)?.uses ?? {})) {
      if (!defined.has(name)) continue;
      const known: Callers = callers.get(name) ?? { files: [], count: 0, countIn: new Map() };
      known.files.push(file);
      known.count += count;
      known.countIn.set(file, count);
      callers.set(name, known);
    }
  }
  return callers;
}

/** A symbol counts more near the root, in files of substance with few definitions, and when others call it. */
export function scoresOf(
  file: string,
  symbols: FileSymbols | undefined,
  callers: ReadonlyMap<string, Callers>,
): Map<string, number> {
  if (symbols === undefined) return new Map();
  const depth = file.split("/").length - 1;
  const weight = 0.8 ** depth * Math.sqrt(symbols.lines / (symbols.defs.length + 1));
  const scored = symbols.defs.map((name): [string, number] => {
    const all = callers.get(name);
    const external = (all?.count ?? 0) - (all?.countIn.get(file) ?? 0);
    return [name, Math.round(weight * (1 + Math.log(1 + external)) * 1000) / 1000];
  });
  return new Map(scored.sort((a, b) => b[1] - a[1]));
}
