/** The width of a terminal; undefined where nobody looks. */
export function columnsOf({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | undefined {
  return isTTY === true ? columns || 80 : undefined;
}
