/** A frame to write: its data is one line, as every JSON text is. */
export interface WrittenFrame {
  id?: string | number;
  event?: string;
  data: string;
}

/** Frames of server-sent events as text. */
export function formatFrames(frames: readonly WrittenFrame[]): string {
  return frames
    .map(({ id, event, data }) => {
      const head = `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}`;
      return `${head}data: ${data}\n\n`;
    })
    .join("");
}
