/** @param {import("./main.mjs").Line[]} lines */
export function table(lines) {
  const remarks = remarksOf(lines);
  const rows = lines.map((line) => [
    line.name,
    `${figure(line.value)} ${line.unit}`,
    line.baseline === undefined ? "" : figure(line.baseline),
    line.ratio === undefined ? "" : `${line.ratio.toFixed(2)} ×`,
    line.budget ?? "",
    line.verdict,
    textsOf(line)
      .map((text) => `[${remarks.indexOf(text) + 1}]`)
      .join(" "),
  ]);
  const head = ["", "value", "beside", "ratio", "budget", "", ""];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const printed = [head, ...rows].map((row) => row.map((cell, column) => pad(cell, widths[column], column)).join("  "));
  const footnotes = remarks.map((text, index) => `${`[${index + 1}]`.padStart(4)} ${text}`);
  return [...printed, "", ...footnotes].map((text) => text.trimEnd()).join("\n");
}

/** What a value stands beside, and what else one has to know: each said once. */
function remarksOf(lines) {
  return [...new Set(lines.flatMap(textsOf))];
}

function textsOf({ baselineIs, note }) {
  return [baselineIs && `beside: ${baselineIs}`, note].filter(Boolean);
}

export function figure(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function pad(cell, width, column) {
  return column === 0 || column >= 5 ? cell.padEnd(width) : cell.padStart(width);
}
