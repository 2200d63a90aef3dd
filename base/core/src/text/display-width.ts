/** Wide in every terminal: scripts of East Asia, full-width forms, pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Marks stand on the character before them; the others only join. */
const narrowest = /[\p{Mark}\u200b-\u200d]/u;
const isAscii = /^[\x20-\x7e]*$/;

/** How many columns a terminal takes for a text without control characters. */
export function displayWidth(text: string): number {
  if (isAscii.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += widthOf(letter);
  return width;
}

/** The beginning that fits, with … where something is left out. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  return columns < 1 ? "" : `${firstColumns([...text], columns - 1).join("")}…`;
}

/** The end that fits: of a path that says most. */
export function cutStartToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  return columns < 1
    ? ""
    : `…${firstColumns([...text].reverse(), columns - 1)
        .reverse()
        .join("")}`;
}

function firstColumns(letters: readonly string[], columns: number): string[] {
  let width = 0;
  const end = letters.findIndex((letter) => {
    width += widthOf(letter);
    return width > columns;
  });
  return end === -1 ? [...letters] : letters.slice(0, end);
}

function widthOf(letter: string): number {
  if (narrowest.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}
