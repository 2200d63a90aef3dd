const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const cdataStart = "<![CDATA[";
const cdataEnd = "]]>";

export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Decodes the five named entities; anything else that begins with an ampersand is text. */
export function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? "");
}

/** The value between two tags: CDATA as it stands, else without one newline at each end and with entities decoded. */
export function elementText(raw: string): string {
  return readCdata(raw) ?? unescapeXml(raw.replace(/^\r?\n/, "").replace(/\r?\n$/, ""));
}

/** Where `search` stands in `text` outside CDATA that begins directly after a tag; -1 when it does not (yet). */
export function indexOutsideCdata(text: string, search: string, from: number): { at: number; scanned: number } {
  let position = from;
  for (;;) {
    const at = text.indexOf(search, position);
    const cdata = nextCdata(text, position);
    if (cdata === -1 || (at !== -1 && at < cdata)) {
      // Both marks may be cut by the end of what has come so far.
      const kept = Math.max(search.length, cdataStart.length) - 1;
      return { at, scanned: Math.max(position, text.length - kept) };
    }
    const end = text.indexOf(cdataEnd, cdata);
    if (end === -1) return { at: -1, scanned: cdata };
    position = end + cdataEnd.length;
  }
}

function nextCdata(text: string, from: number): number {
  for (let at = text.indexOf(cdataStart, from); at !== -1; at = text.indexOf(cdataStart, at + 1)) {
    if (/(?:>|^)\s*$/.test(text.slice(Math.max(0, at - 64), at))) return at;
  }
  return -1;
}

function readCdata(raw: string): string | undefined {
  const text = raw.trim();
  if (!text.startsWith(cdataStart) || !text.endsWith(cdataEnd)) return undefined;
  let value = "";
  let position = 0;
  while (text.startsWith(cdataStart, position)) {
    const end = text.indexOf(cdataEnd, position);
    value += text.slice(position + cdataStart.length, end);
    position = end + cdataEnd.length;
  }
  return position === text.length ? value : undefined;
}
