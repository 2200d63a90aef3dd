import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";

/** A terminal without a window, as a viewer has one, and what it answers to its program. */
export function freshTerminal({ columns, rows }: { columns: number; rows: number }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 100, allowProposedApi: true });
  const answers: string[] = [];
  terminal.onData((text) => answers.push(text));
  return { terminal, answers };
}

/** Resolves when the bytes have been read. */
export function write(terminal: Terminal, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => terminal.write(bytes, resolve));
}

/** Every cell of the screen with its look, the cursor, and what is above the screen. */
export function cellsOf(terminal: Terminal) {
  const { active, normal } = terminal.buffer;
  const rowsOf = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => {
      const line = active.getLine(from + index);
      return Array.from({ length: terminal.cols }, (_, column) => lookOf(line?.getCell(column))).join("|");
    });
  return {
    screen: rowsOf(active.baseY, active.baseY + terminal.rows),
    above: active === normal ? rowsOf(0, active.baseY) : [],
    cursor: [active.cursorX, active.cursorY],
    kind: active.type,
  };
}

function lookOf(cell: IBufferCell | undefined): string {
  if (cell === undefined) return "";
  const { underline } = { underline: (cell as unknown as { getUnderlineStyle(): number }).getUnderlineStyle() };
  const flags = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isBlink(),
    cell.isInverse(),
    cell.isInvisible(),
    cell.isStrikethrough(),
    cell.isOverline(),
  ].map((flag) => (flag ? 1 : 0));
  const chars = cell.getChars();
  // Of a cell without a character only the ground shows.
  const look =
    chars === "" ? [] : [colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()), flags.join(""), underline];
  return [chars, cell.getWidth(), colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()), ...look].join(",");
}

/** The first 16 colours have two names that mean the same. */
function colorOf(isRgb: boolean, isPalette: boolean, color: number): string {
  return isRgb ? `#${color}` : isPalette ? String(color) : "-";
}
