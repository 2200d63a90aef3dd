import type { IBufferCell, Terminal } from "@xterm/headless";

/** A colour and flags as xterm keeps them (6.0.0). */
export interface Style {
  readonly fg: number;
  readonly bg: number;
  isBold(): number;
  isDim(): number;
  isItalic(): number;
  isBlink(): number;
  isInverse(): number;
  isInvisible(): number;
  isStrikethrough(): number;
  isOverline(): number;
  getUnderlineStyle(): number;
  isFgRGB(): boolean;
  isFgPalette(): boolean;
  getFgColor(): number;
  isBgRGB(): boolean;
  isBgPalette(): boolean;
  getBgColor(): number;
}

export type Cell = IBufferCell & Style;

/** Letters of another set: character → what is shown in its place. */
export type Charset = Readonly<Record<string, string>> | undefined;

interface InsideBuffer {
  readonly x: number;
  readonly y: number;
  readonly ybase: number;
  readonly savedX: number;
  readonly savedY: number;
  readonly savedCurAttrData: Style;
  readonly savedCharset: Charset;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
}

/** What xterm does not show of itself, and without which a screen is not the same afterwards. */
export interface Inside {
  readonly buffers: { readonly normal: InsideBuffer; readonly alt: InsideBuffer; readonly active: InsideBuffer };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly applicationCursorKeys: boolean;
      readonly applicationKeypad: boolean;
      readonly bracketedPasteMode: boolean;
      readonly cursorBlink: boolean | undefined;
      readonly cursorStyle: string | undefined;
      readonly origin: boolean;
      readonly reverseWraparound: boolean;
      readonly sendFocus: boolean;
      readonly wraparound: boolean;
    };
  };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly _charsetService: {
    readonly glevel: number;
    readonly _charsets: readonly Charset[];
    readonly charset: Charset;
  };
  readonly _inputHandler: {
    readonly _curAttrData: Style;
    readonly _parser: { readonly currentState: number };
  };
}

export type InsideOfBuffer = InsideBuffer;

export function insideOf(terminal: Terminal): Inside {
  return (terminal as unknown as { _core: Inside })._core;
}
