import { parseJson } from "@muster/core";

/** The agent's own message becomes the last field of its event: JSON where it is JSON, text where it is not. */
export function addRaw(json: string, raw: string | undefined): string {
  return `${json.slice(0, -1)},"raw":${raw === undefined ? "null" : parseJson(raw) === undefined ? JSON.stringify(raw) : raw}}`;
}
