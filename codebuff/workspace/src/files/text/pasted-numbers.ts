export interface Unnumbered {
  readonly text: string;
  /** The number of the first line. */
  readonly first: number;
}

/** `12 | code`, `12: code`, `12→code`, or a number and a tab, as tools that show files print it. */
const numbered = /^[ \t]*(\d+)(?: ?\| ?|: ?|→|\t)(.*)$/s;

/** The text without the line numbers that were pasted with it; undefined unless every line has one and they count up. */
export function withoutPastedNumbers(text: string): Unnumbered | undefined {
  const ends = text.endsWith("\n");
  const found = (ends ? text.slice(0, -1) : text).split("\n").map((line) => numbered.exec(line));
  const first = Number(found[0]?.[1]);
  const counts = found.every((match, index) => match !== null && Number(match[1]) === first + index);
  if (!counts) return undefined;
  return { text: found.map((match) => match?.[2] ?? "").join("\n") + (ends ? "\n" : ""), first };
}
