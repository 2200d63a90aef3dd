import type { IBuffer, IBufferLine, Terminal } from "@xterm/headless";
import { styleCodes } from "./style-codes.ts";
import { type Cell, type Charset, type Inside, type InsideOfBuffer, insideOf, type Style } from "./xterm-inside.ts";

/**
 * All a terminal is as what to write to a fresh one of the same size: cells, and what `@xterm/addon-serialize` leaves out
 * (scroll regions, origin mode, saved cursors, charsets, tab stops). Links and colours of underlines are not in it.
 */
export function snapshotOf(terminal: Terminal, scrollback: number): string {
  const inside = insideOf(terminal);
  const { normal, alternate, active } = terminal.buffer;
  // Full reset: whatever was there is gone, also behind the top of the screen.
  let text = `\x1bc\x1b[3J${contentOf(normal, terminal, scrollback)}`;
  text += placesOf(inside.buffers.normal, terminal);
  if (active.type === "alternate") {
    // Not 1049: that would save the cursor once more.
    text += `${cursorTo(inside.buffers.normal.x, inside.buffers.normal.y, terminal.cols)}\x1b[?47h\x1b[H`;
    text += contentOf(alternate, terminal, 0) + placesOf(inside.buffers.alt, terminal);
  }
  return text + modesOf(terminal, inside);
}

/** The rows, each in full; what scrolls out on the way is the scrollback. */
function contentOf(buffer: IBuffer, { rows, cols }: Terminal, scrollback: number): string {
  const first = Math.max(0, buffer.length - rows - scrollback);
  let text = "";
  for (let row = first; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    if (line === undefined) break;
    if (row > first && !wrapsInto(buffer.getLine(row - 1), line, cols)) text += "\x1b[0m\r\n";
    text += rowOf(line, cols);
  }
  return `${text}\x1b[0m`;
}

/** Whether the next row began by itself when this one was full: only then a resize joins the two again. */
function wrapsInto(line: IBufferLine | undefined, next: IBufferLine, columns: number): boolean {
  if (!next.isWrapped || line === undefined || next.getCell(0)?.getChars() === "") return false;
  const last = line.getCell(columns - 1);
  const isFull = last !== undefined && (last.getChars() !== "" || last.getWidth() === 0);
  return isFull || next.getCell(0)?.getWidth() === 2;
}

function rowOf(line: IBufferLine, columns: number): string {
  let [text, style, gap] = ["", "", 0];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column) as Cell | undefined;
    if (cell === undefined || cell.getWidth() === 0) continue;
    const isEmpty = cell.getChars() === "";
    if (isEmpty && cell.getBgColorMode() === 0) {
      gap++;
      continue;
    }
    if (gap > 0) text += `\x1b[${gap}C`;
    gap = 0;
    const codes = styleCodes(cell);
    if (codes !== style) text += `\x1b[0;${codes}m`;
    style = codes;
    // The first half of a wide character whose second was overwritten has no place of its own.
    const isHalf = cell.getWidth() === 2 && line.getCell(column + 1)?.getWidth() !== 0;
    if (!isEmpty) text += isHalf ? " " : cell.getChars();
    // Erased, not written: a blank would be a character.
    else text += column === columns - 1 ? "\x1b[X" : "\x1b[X\x1b[C";
  }
  return text;
}

/** Tab stops, the scroll region and the saved cursor of one screen; the pen is plain before and afterwards. */
function placesOf(buffer: InsideOfBuffer, { rows, cols }: Terminal): string {
  let text = "";
  const stops = Array.from({ length: cols }, (_, column) => column).filter((column) => buffer.tabs[column]);
  if (stops.some((column, index) => column !== index * 8) || stops.length !== Math.ceil(cols / 8)) {
    text += `\x1b[3g${stops.map((column) => `\x1b[${column + 1}G\x1bH`).join("")}`;
  }
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== rows - 1) {
    text += `\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
  }
  const { savedX, savedY, savedCurAttrData, savedCharset } = buffer;
  const charset = letterOf(savedCharset);
  if (savedX === 0 && savedY === 0 && charset === "B" && styleCodes(savedCurAttrData) === "") return text;
  const row = Math.max(0, savedY - buffer.ybase);
  text += `\x1b(${charset}\x0f${cursorTo(savedX, row, cols)}\x1b[0;${styleCodes(savedCurAttrData)}m\x1b7`;
  return `${text}\x1b(B\x1b[0m`;
}

const mouseProtocols: Readonly<Record<string, number>> = { X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 };
const mouseEncodings: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 };
const cursorShapes: Readonly<Record<string, number>> = { block: 1, underline: 3, bar: 5 };

/** What is last: modes that would disturb what was written before, and then the cursor and its pen. */
function modesOf(terminal: Terminal, inside: Inside): string {
  const { coreService, coreMouseService, buffers } = inside;
  const modes = coreService.decPrivateModes;
  const { active } = buffers;
  let text = "";
  if (modes.applicationCursorKeys) text += "\x1b[?1h";
  if (modes.applicationKeypad) text += "\x1b=";
  if (modes.bracketedPasteMode) text += "\x1b[?2004h";
  if (modes.reverseWraparound) text += "\x1b[?45h";
  if (modes.sendFocus) text += "\x1b[?1004h";
  const protocol = mouseProtocols[coreMouseService.activeProtocol];
  const encoding = mouseEncodings[coreMouseService.activeEncoding];
  if (protocol !== undefined) text += `\x1b[?${protocol}h`;
  if (encoding !== undefined) text += `\x1b[?${encoding}h`;
  if (coreService.isCursorHidden) text += "\x1b[?25l";
  const shape = cursorShapes[modes.cursorStyle ?? ""];
  if (shape !== undefined) text += `\x1b[${modes.cursorBlink ? shape : shape + 1} q`;
  // Origin mode counts rows from the top of its region, and moves the cursor there.
  if (modes.origin) text += "\x1b[?6h";
  text += cursorAndWrap(terminal, active, modes.origin ? active.scrollTop : 0);
  if (!modes.wraparound) text += "\x1b[?7l";
  if (coreService.modes.insertMode) text += "\x1b[4h";
  return text + charsetsOf(inside) + penOf(inside._inputHandler._curAttrData);
}

/** Behind the last column there is a place that only a character leads to: the one that is there is written again. */
function cursorAndWrap({ cols, buffer }: Terminal, { x, y }: InsideOfBuffer, top: number): string {
  if (x < cols) return cursorTo(x, y - top, cols);
  const line = buffer.active.getLine(buffer.active.baseY + y);
  const width = line?.getCell(cols - 1)?.getWidth() === 0 ? 2 : 1;
  const cell = line?.getCell(cols - width) as Cell | undefined;
  const place = cursorTo(cols - width, y - top, cols);
  if (cell === undefined) return place;
  const written = `${place}\x1b[0;${styleCodes(cell)}m${cell.getChars() || " "}`;
  // Of a row that was erased under the cursor the character is erased again, which leaves the cursor where it is.
  return line !== undefined && isErased(line, cols) ? `${written}\x1b[2K` : written;
}

/** Without a character, and of one ground. */
function isErased(line: IBufferLine, columns: number): boolean {
  const first = line.getCell(0);
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    if (cell?.getChars() !== "" || cell.getBgColorMode() !== first?.getBgColorMode()) return false;
    if (cell.getBgColor() !== first.getBgColor()) return false;
  }
  return true;
}

function charsetsOf({ _charsetService: charsets }: Inside): string {
  const designators = ["(", ")", "*", "+"];
  const text = designators.map((designator, index) => {
    const letter = letterOf(charsets._charsets[index]);
    return letter === "B" ? "" : `\x1b${designator}${letter}`;
  });
  return text.join("") + (["", "\x0e", "\x1bn", "\x1bo"][charsets.glevel] ?? "");
}

/** The sets that programs use: line drawing, and the British one. */
function letterOf(charset: Charset): string {
  if (charset?.q === "─") return "0";
  return charset?.["#"] === "£" ? "A" : "B";
}

function penOf(style: Style): string {
  const codes = styleCodes(style);
  return codes === "" ? "\x1b[0m" : `\x1b[0;${codes}m`;
}

function cursorTo(column: number, row: number, columns: number): string {
  return `\x1b[${row + 1};${Math.min(column, columns - 1) + 1}H`;
}
