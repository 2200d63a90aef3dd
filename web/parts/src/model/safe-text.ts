/**
 * Characters that are not seen and change how the text around them reads: directions of writing, spaces without width,
 * marks of invisible plus and times, and tags. Joiners are left alone in prose, where languages and emoji need them.
 */
const unseen =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const unseenInCode =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
// Other control characters than tab and line feed have no place in a text either.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export interface Piece {
  text: string;
  /** A character that is shown by its number. */
  isUnseen: boolean;
}

/** The text in pieces, every character that cannot be seen in one of its own: `U+202E`. */
export function pieces(text: string, { code = false } = {}): Piece[] {
  const pattern = code ? unseenInCode : unseen;
  const found: Piece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(pattern)) {
    if (index > from) found.push({ text: text.slice(from, index), isUnseen: false });
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    found.push({ text: `U+${number}`, isUnseen: true });
    from = index + character.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), isUnseen: false });
  return found;
}

export interface Coloured {
  text: string;
  /** Names of classes: `red`, `bold` … */
  style: string;
}

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  /\u001b\[([\d;:]*)m|\u001b\[[\d;:?<=>]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-_a-z]?/g;

/** What a program has said to a terminal: colours are kept, everything else it asked the terminal for is left out. */
export function terminalText(text: string): Coloured[] {
  const found: Coloured[] = [];
  let style = "";
  let from = 0;
  const add = (piece: string) => {
    const plain = lastWrites(piece).replace(controls, "");
    if (plain !== "") found.push({ text: plain, style });
  };
  for (const { 0: whole, 1: codes, index } of text.matchAll(escapes)) {
    add(text.slice(from, index));
    if (codes !== undefined) style = styleAfter(style, codes);
    from = index + whole.length;
  }
  add(text.slice(from));
  return found;
}

/** Of a line that was written over with carriage returns, the last that was written. */
function lastWrites(text: string): string {
  if (!text.includes("\r")) return text;
  return text.replaceAll("\r\n", "\n").replace(/[^\n]*\r(?=[^\n])/g, "");
}

function styleAfter(style: string, codes: string): string {
  const names = new Set(style.split(" ").filter(Boolean));
  const drop = (...gone: string[]) => {
    for (const name of gone) names.delete(name);
  };
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) names.clear();
    else if (code === 1) names.add("bold");
    else if (code === 2) names.add("faint");
    else if (code === 22) drop("bold", "faint");
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97) || code === 39) {
      drop(...colours);
      const colour = colours[code % 10];
      if (code !== 39 && colour !== undefined) names.add(colour);
    } else if (code === 38 || code === 48) break;
  }
  return [...names].join(" ");
}

/** The address if it may be followed from what an agent has written; nothing that runs, nothing that is drawn. */
export function safeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return ["http:", "https:", "mailto:"].includes(new URL(url).protocol) ? url : undefined;
}

/** A picture a browser draws without running anything of it. */
export function safePicture(mime: string, data: string | undefined): string | undefined {
  if (data === undefined || !/^image\/(png|jpeg|gif|webp|avif)$/.test(mime)) return undefined;
  return /^[A-Za-z0-9+/=\s]+$/.test(data) ? `data:${mime};base64,${data}` : undefined;
}
