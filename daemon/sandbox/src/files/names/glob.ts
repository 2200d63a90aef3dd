/** Whether a path matches a pattern with `*`, `?`, `[…]` and, as a whole name, `**`. Never more than length times length steps. */
export function matchesGlob(pattern: readonly string[], path: readonly string[]): boolean {
  let [at, from, star, tried] = [0, 0, -1, 0];
  while (at < path.length) {
    if (pattern[from] === "**") {
      star = from++;
      tried = at;
    } else if (from < pattern.length && matchesName(pattern[from] ?? "", path[at] ?? "")) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[from] === "**") from++;
  return from === pattern.length;
}

/** Whether one name matches. What a star takes grows only from the last star on: earlier ones need never be tried again. */
export function matchesName(pattern: string, name: string): boolean {
  const parts = partsOf(pattern);
  let [at, from, star, tried] = [0, 0, -1, 0];
  while (at < name.length) {
    const part = parts[from];
    if (part === star1) {
      star = from++;
      tried = at;
    } else if (part?.(name.charCodeAt(at)) === true) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++tried;
    } else return false;
  }
  while (parts[from] === star1) from++;
  return from === parts.length;
}

type Part = (code: number) => boolean;
const star1: Part = () => true;
const known = new Map<string, readonly Part[]>();
const mostKnown = 2000;

function partsOf(pattern: string): readonly Part[] {
  const kept = known.get(pattern);
  if (kept !== undefined) return kept;
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "*") {
      if (parts.at(-1) !== star1) parts.push(star1);
    } else if (char === "?") parts.push((_) => true);
    else if (char === "[" && pattern.indexOf("]", at + 2) > 0) {
      const end = pattern.indexOf("]", at + 2);
      parts.push(classOf(pattern.slice(at + 1, end)));
      at = end;
    } else {
      if (char === "\\" && at + 1 < pattern.length) at++;
      const code = pattern.charCodeAt(at);
      parts.push((given) => given === code);
    }
  }
  if (known.size >= mostKnown) known.clear();
  known.set(pattern, parts);
  return parts;
}

function classOf(text: string): Part {
  const isNot = text.startsWith("!") || text.startsWith("^");
  const body = isNot ? text.slice(1) : text;
  const ranges: [number, number][] = [];
  for (let at = 0; at < body.length; at++) {
    const first = body.charCodeAt(at);
    const isRange = body.charAt(at + 1) === "-" && at + 2 < body.length;
    ranges.push([first, isRange ? body.charCodeAt(at + 2) : first]);
    if (isRange) at += 2;
  }
  return (code) => ranges.some(([first, last]) => code >= first && code <= last) !== isNot;
}
