const codes = {
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  bold: [1, 22],
} as const;
type Style = keyof typeof codes;

export type Paint = (style: Style, text: string) => string;

/** Colours only on a terminal that is not dumb and where nobody asked for none (`NO_COLOR`, `--plain`). */
export function paintFor(
  stream: { isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  plain: boolean,
): Paint {
  const coloured = stream.isTTY === true && !plain && !env.NO_COLOR && env.TERM !== "dumb";
  if (!coloured) return (_style, text) => text;
  return (style, text) => `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m`;
}
