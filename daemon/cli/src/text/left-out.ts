/** The last line of a conversion: what the target has no words for, as a comment. */
export function leftOutText(leftOut: Readonly<Record<string, number>>): string {
  const parts = Object.entries(leftOut).map(([what, count]) => `${count} × ${what}`);
  const total = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  return total === 0 ? "" : `# left out ${total}: ${parts.join("; ")}\n`;
}
