const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  laquo: "«",
  raquo: "»",
};

/** What a person would read of an HTML page, with headings, list items and links told apart. */
export function pageText(html: string): { title?: string; text: string } {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1];
  const body = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(script|style|noscript|template|svg|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replace(/<pre\b[^>]*>([\s\S]*?)<\/pre\s*>/gi, (_, code: string) => `<p>${hide(code)}</p>`)
    .replace(/[ \t\r\n]+/g, " ")
    .replace(/<h([1-6])\b[^>]*>/gi, (_, level: string) => `\n\n${"#".repeat(Number(level))} `)
    .replace(/<li\b[^>]*>/gi, "\n- ")
    .replace(/<a\b[^>]*\bhref\s*=\s*["']?(https?:[^"'\s>]+)[^>]*>([\s\S]*?)<\/a\s*>/gi, "$2 ($1)")
    .replace(/<br\b[^>]*>|<\/(?:tr|li|dt|dd)\s*>/gi, "\n")
    .replace(/<\/?(?:p|div|section|article|h[1-6]|ul|ol|table|blockquote|main|nav|footer|header)\b[^>]*>/gi, "\n\n")
    .replace(/<\/t[dh]\s*>/gi, "\t")
    .replace(/<[^>]*>/g, "");
  const lines = decodeEntities(body)
    .split("\n")
    .map((line) => show(line.trim()));
  const text = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return { title: title === undefined ? undefined : decodeEntities(title).replace(/\s+/g, " ").trim(), text };
}

/** Code keeps its blanks: they pass as characters that no page has. */
function hide(code: string): string {
  return code.replaceAll("\n", "\uE000").replaceAll(" ", "\uE001").replaceAll("\t", "\uE002");
}

function show(line: string): string {
  return line.replaceAll("\uE000", "\n").replaceAll("\uE001", " ").replaceAll("\uE002", "\t");
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
