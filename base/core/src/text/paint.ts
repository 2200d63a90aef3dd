/** How text is set off from other text; nothing but the text where colour is not wanted. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Colour only on a terminal, and not where NO_COLOR says no or the terminal knows none. */
export function paintFor(stream: { isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): Paint {
  const isWanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return isWanted ? colours : plain;
}

// Each style is ended by its own code, so one style can stand inside another.
const wrap = (begin: number, end: number) => (text: string) =>
  text === "" ? "" : `\u001b[${begin}m${text}\u001b[${end}m`;
const same = (text: string) => text;

const colours: Paint = {
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  red: wrap(31, 39),
  green: wrap(32, 39),
  yellow: wrap(33, 39),
  cyan: wrap(36, 39),
};
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
