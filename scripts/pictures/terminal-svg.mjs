/** The window of a terminal as a drawing: a rectangle for each background, a text for each run of one style. */

const cell = { width: 8.4, height: 17 };
const edge = 14;
/** The sixteen colours of xterm, made milder, and the rest of the 256 by its rule. */
const palette = {
  dark: ["#1c1f26", "#e06c75", "#8fbf6f", "#e0b45f", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#7f848e"],
  light: ["#fafafa", "#c0392b", "#3c8a2e", "#a86b00", "#2463a8", "#8b3fa0", "#1a7f8c", "#383a42", "#8a8d94"],
};

/** `rows` are lists of `{ text, width, fg, bg, bold, dim, italic, underlined, struck, inverse }`, one for each cell. */
export function svgOf(rows, { light, title = "A terminal with codebuff" }) {
  const theme = light ? "light" : "dark";
  const [paper, ink] = [palette[theme][0], palette[theme][7]];
  const columns = Math.max(...rows.map((row) => row.reduce((sum, { width }) => sum + width, 0)));
  const size = { width: columns * cell.width + 2 * edge, height: rows.length * cell.height + 2 * edge };
  const drawn = rows.flatMap((row, at) => runsOf(row).flatMap((run) => drawRun(run, at, { theme, paper, ink })));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="DejaVu Sans Mono" font-size="13.95">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
${drawn.join("\n")}
</svg>
`;
}

/** Cells of one style next to each other. */
function runsOf(row) {
  const runs = [];
  let column = 0;
  for (const { text, width, ...style } of row) {
    const last = runs.at(-1);
    if (last !== undefined && JSON.stringify(last.style) === JSON.stringify(style)) {
      last.text += text;
      last.width += width;
    } else runs.push({ text, width, column, style });
    column += width;
  }
  return runs;
}

function drawRun({ text, width, column, style }, row, { theme, paper, ink }) {
  const x = edge + column * cell.width;
  const y = edge + row * cell.height;
  const colours = [colourOf(style.fg, theme) ?? ink, colourOf(style.bg, theme)];
  const [fg, bg] = style.inverse ? [paper, colours[0]] : colours;
  const box =
    bg === undefined
      ? []
      : [`<rect x="${x}" y="${y}" width="${width * cell.width}" height="${cell.height}" fill="${bg}"/>`];
  if (text.trim() === "") return box;
  const looks = [
    style.bold ? 'font-weight="bold"' : "",
    style.italic ? 'font-style="italic"' : "",
    style.dim ? 'opacity="0.6"' : "",
    style.underlined ? 'text-decoration="underline"' : style.struck ? 'text-decoration="line-through"' : "",
  ].join(" ");
  const fit = `textLength="${width * cell.width}" lengthAdjust="spacingAndGlyphs"`;
  return [
    ...box,
    `<text x="${x}" y="${y + 13}" fill="${fg}" xml:space="preserve" ${fit} ${looks}>${escapeXml(text)}</text>`,
  ];
}

function colourOf(number, theme) {
  if (number === undefined) return undefined;
  if (number < 9) return palette[theme][number];
  if (number < 16) return palette[theme][number - 8];
  if (number >= 232) return `rgb(${Array(3).fill(8 + (number - 232) * 10)})`;
  const part = (value) => (value === 0 ? 0 : 55 + value * 40);
  const index = number - 16;
  return `rgb(${part(Math.floor(index / 36))},${part(Math.floor(index / 6) % 6)},${part(index % 6)})`;
}

function escapeXml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
