/** Shorter pieces of base64 are found in ordinary text. */
const shortestForm = 10;

/** How a secret may stand in a text: as it is, escaped by JSON, by a URL, and in base64, alone or inside something longer. */
export function secretForms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), ...urlForms(new TextDecoder().decode(bytes))];
  return [...forms, ...base64Forms(bytes)];
}

function urlForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  return [encoded, encoded.replaceAll("%20", "+"), encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())];
}

/** Three bytes are four letters, so what stands before a secret shifts it in three ways; letters shared with neighbours go. */
function base64Forms(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = base64(Uint8Array.from([...new Uint8Array(shift), ...bytes])).replaceAll("=", "");
    const first = shift === 0 ? 0 : shift + 1;
    const ownBits = (shift + bytes.length) * 8;
    const core = text.slice(first, Math.floor(ownBits / 6));
    if (core.length < shortestForm) return [];
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
