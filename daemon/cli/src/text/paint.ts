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
export function paintFor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): Paint {
  const isWanted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return isWanted ? colours : plain;
}

const wrap = (code: number) => (text: string) => (text === "" ? "" : `\x1b[${code}m${text}\x1b[0m`);
const same = (text: string) => text;

const colours: Paint = {
  bold: wrap(1),
  dim: wrap(2),
  red: wrap(31),
  green: wrap(32),
  yellow: wrap(33),
  cyan: wrap(36),
};
export const plain: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
