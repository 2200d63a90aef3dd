/** Shorter pieces of base64 are found in ordinary text. */
const shortestForm = 10;

/** How a secret may stand in a text: as it is, escaped by JSON, by a URL, and in base64, alone or inside something longer. */
export function secretForms(secret: string): string[] {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...urlForms(secret)];
  return [...forms, ...base64Forms(secret)];
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(Buffer.from(secret).toString());
  return [encoded, encoded.replaceAll("%20", "+"), encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
}

/** Three bytes are four letters, so what stands before a secret shifts it in three ways; letters shared with neighbours go. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replaceAll("=", "");
    const first = shift === 0 ? 0 : shift + 1;
    const ownBits = (shift + bytes.length) * 8;
    const core = text.slice(first, Math.floor(ownBits / 6));
    if (core.length < shortestForm) return [];
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
