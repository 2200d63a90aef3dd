import { oneLine } from "../text/printable.ts";
import { formatRows } from "../text/rows.ts";

/** Lines of a table whose cells stay on their line. */
export function rows(cells: readonly (readonly string[])[]): string {
  return formatRows(cells.map((line) => line.map((cell) => oneLine(cell, 120))));
}
