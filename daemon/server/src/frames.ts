/** One SSE frame of a log: its sequence and the JSON of its event. */
export interface Frame {
  sequence: number;
  json: string;
}

/** Frames of a log, taken apart. The JSON of an event has no newline in it, so an empty line ends a frame. */
export function splitFrames(frames: Buffer): Frame[] {
  return frames
    .toString("utf8")
    .split("\n\n")
    .filter((text) => text !== "")
    .map((text) => {
      const line = text.indexOf("\n");
      return { sequence: Number(text.slice("id: ".length, line)), json: text.slice(line + "\ndata: ".length) };
    });
}

export function joinFrames(frames: readonly { id: string | number; json: string }[]): Buffer {
  return Buffer.from(frames.map(({ id, json }) => `id: ${id}\ndata: ${json}\n\n`).join(""));
}

/** The agent's own message becomes the last field of its event: JSON where it is JSON, text where it is not. */
export function addRaw(json: string, raw: string | undefined): string {
  return `${json.slice(0, -1)},"raw":${raw === undefined ? "null" : asJson(raw)}}`;
}

function asJson(raw: string): string {
  try {
    JSON.parse(raw);
    return raw;
  } catch {
    return JSON.stringify(raw);
  }
}
