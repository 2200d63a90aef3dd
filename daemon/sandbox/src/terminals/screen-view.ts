import type { TerminalScreen } from "@muster/schema/wire";
import type { IBufferLine, Terminal } from "@xterm/headless";
import { styleCodes } from "./style-codes.ts";
import { type Cell, insideOf } from "./xterm-inside.ts";

/** What is on the screen, as text with its styles. */
export function screenOf(terminal: Terminal): Omit<TerminalScreen, "offset" | "title"> {
  const { buffer, cols: columns, rows } = terminal;
  const { active } = buffer;
  const lines = Array.from({ length: rows }, (_, row) => lineOf(active.getLine(active.baseY + row), columns));
  const visible = !insideOf(terminal).coreService.isCursorHidden;
  return {
    columns,
    rows,
    cursor: { row: active.cursorY, column: active.cursorX, visible },
    alternate: active.type === "alternate",
    lines,
  };
}

function lineOf(line: IBufferLine | undefined, columns: number): TerminalScreen["lines"][number] {
  const runs: { text: string; style: string }[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line?.getCell(column) as Cell | undefined;
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleCodes(cell);
    const text = cell.getChars() || " ";
    const last = runs.at(-1);
    if (last !== undefined && last.style === style) last.text += text;
    else runs.push({ text, style });
  }
  const last = runs.at(-1);
  if (last?.style === "") last.text = last.text.trimEnd();
  const shown = runs.filter(({ text }) => text !== "");
  return {
    text: shown
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
    runs: shown.map(({ text, style }) => (style === "" ? { text } : { text, style })),
  };
}
