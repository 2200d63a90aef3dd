/** The agent's own message becomes the last field of its event: JSON where it is JSON, text where it is not. */
export function addRaw(json: string, raw: string | undefined): string {
  return `${json.slice(0, -1)},"raw":${raw === undefined ? "null" : asJson(raw)}}`;
}

function asJson(raw: string): string {
  try {
    JSON.parse(raw);
    return raw;
  } catch {
    // Not every agent's every line is JSON.
    return JSON.stringify(raw);
  }
}
