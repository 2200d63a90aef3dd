import {
  before,
  enclosed,
  firstLetter,
  lineEnd,
  lineStart,
  next,
  wordAfter,
  wordAround,
  wordBefore,
  wordEnd,
} from "./places.ts";

/** Where a motion leads: what an operator takes on the way there. */
export interface Motion {
  readonly to: number;
  /** The letter at the end is taken too. */
  readonly isInclusive?: true;
  readonly isLines?: true;
  /** Of a text object, which does not begin at the cursor. */
  readonly from?: number;
}

export interface Find {
  readonly kind: "f" | "F" | "t" | "T";
  readonly letter: string;
}

/** A motion of one key, done `count` times; undefined when the key is none or leads nowhere. */
export function motionOf(key: string, text: string, at: number, count: number | undefined): Motion | undefined {
  const times = count ?? 1;
  const again = (step: (at: number) => number) => Array.from({ length: times }).reduce<number>((one) => step(one), at);
  switch (key) {
    case "h":
      return { to: again((one) => Math.max(lineStart(text, at), before(text, one))) };
    case "l":
    case " ":
      return { to: again((one) => Math.min(lineEnd(text, at), next(text, one))) };
    case "0":
      return { to: lineStart(text, at) };
    case "^":
    case "_":
      return { to: firstLetter(text, at) };
    case "$":
      return { to: Math.max(lineStart(text, at), before(text, lineEnd(text, at))), isInclusive: true };
    case "w":
    case "W":
      return { to: again((one) => wordAfter(text, one, key === "W")) };
    case "b":
    case "B":
      return { to: again((one) => wordBefore(text, one, key === "B")) };
    case "e":
    case "E":
      return { to: again((one) => wordEnd(text, one, key === "E")), isInclusive: true };
    case "j":
    case "k":
      return byLines(text, at, key === "j" ? times : -times);
    case "gg":
      return { to: startOfLine(text, count ?? 1), isLines: true };
    case "G":
      return { to: count === undefined ? lineStart(text, text.length) : startOfLine(text, count), isLines: true };
    default:
      return undefined;
  }
}

/** `f`, `F`, `t`, `T` and a letter, within the line. */
export function findOf(
  { kind, letter }: Find,
  text: string,
  at: number,
  { count, isAgain = false }: { count: number; isAgain?: boolean },
): Motion | undefined {
  const isForward = kind === "f" || kind === "t";
  let found = at;
  for (let left = count; left > 0; left--) {
    // Repeated by `;`, a `t` that stands before its letter goes on to the next one.
    const near = isAgain && left === count ? 1 : 0;
    const [forth, back] = [kind === "t" ? found + near : found, kind === "T" ? found - near : found];
    found = isForward
      ? text.slice(0, lineEnd(text, at)).indexOf(letter, forth + 1)
      : text.slice(lineStart(text, at), Math.max(0, back)).lastIndexOf(letter) + lineStart(text, at);
    if (found < lineStart(text, at) || text[found] !== letter) return undefined;
  }
  const to = kind === "t" ? before(text, found) : kind === "T" ? next(text, found) : found;
  return isForward ? { to, isInclusive: true } : { to };
}

/** `iw`, `a"`, `i(` …: a stretch around the cursor. */
export function objectOf(isAround: boolean, mark: string, text: string, at: number): Motion | undefined {
  if (mark === "w" || mark === "W") {
    const [from, to] = wordAround(text, at, mark === "W", isAround);
    return { from, to };
  }
  const found = enclosed(text, at, mark, isAround);
  return found === undefined ? undefined : { from: found[0], to: found[1] };
}

/** In the same column; undefined where there are not so many lines. */
function byLines(text: string, from: number, lines: number): Motion | undefined {
  const column = from - lineStart(text, from);
  let start = lineStart(text, from);
  for (let left = Math.abs(lines); left > 0; left--) {
    if (lines > 0 && lineEnd(text, start) === text.length) return undefined;
    if (lines < 0 && start === 0) return undefined;
    start = lines > 0 ? lineEnd(text, start) + 1 : lineStart(text, start - 1);
  }
  return { to: Math.min(start + column, lineEnd(text, start)), isLines: true };
}

function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let left = line - 1; left > 0 && lineEnd(text, start) < text.length; left--) start = lineEnd(text, start) + 1;
  return start;
}
