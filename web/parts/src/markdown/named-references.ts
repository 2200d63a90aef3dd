/**
 * What the Markdown parser asks for the character of `&name;`. Its own way in a browser is to write markup and read it
 * back, which this page forbids; the table of all 2,231 names is larger than the rest of the parser.
 */
const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  rarr: "→",
  larr: "←",
  uarr: "↑",
  darr: "↓",
  deg: "°",
  euro: "€",
  pound: "£",
  sect: "§",
  para: "¶",
  laquo: "«",
  raquo: "»",
  ge: "≥",
  le: "≤",
  ne: "≠",
  check: "✓",
};

/** A name that is not known stays as it was written. */
export function decodeNamedCharacterReference(name: string): string | false {
  return (Object.hasOwn(characters, name) && characters[name]) || false;
}
