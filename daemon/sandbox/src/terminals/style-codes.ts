import type { Style } from "./xterm-inside.ts";

/** A style as the parameters of one SGR sequence that begins anew; empty for the plain one. */
export function styleCodes(style: Style): string {
  const codes: (number | string)[] = [];
  if (style.isBold()) codes.push(1);
  if (style.isDim()) codes.push(2);
  if (style.isItalic()) codes.push(3);
  const underline = style.getUnderlineStyle();
  if (underline > 0) codes.push(underline === 1 ? 4 : `4:${underline}`);
  if (style.isBlink()) codes.push(5);
  if (style.isInverse()) codes.push(7);
  if (style.isInvisible()) codes.push(8);
  if (style.isStrikethrough()) codes.push(9);
  if (style.isOverline()) codes.push(53);
  if (style.isFgRGB()) codes.push(38, 2, ...channels(style.getFgColor()));
  else if (style.isFgPalette()) codes.push(...palette(style.getFgColor(), { base: 30, bright: 90, other: 38 }));
  if (style.isBgRGB()) codes.push(48, 2, ...channels(style.getBgColor()));
  else if (style.isBgPalette()) codes.push(...palette(style.getBgColor(), { base: 40, bright: 100, other: 48 }));
  return codes.join(";");
}

function palette(color: number, { base, bright, other }: { base: number; bright: number; other: number }): number[] {
  if (color < 8) return [base + color];
  return color < 16 ? [bright + color - 8] : [other, 5, color];
}

function channels(color: number): number[] {
  return [(color >>> 16) & 0xff, (color >>> 8) & 0xff, color & 0xff];
}
