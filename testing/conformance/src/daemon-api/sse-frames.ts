/** One SSE message; a comment (a heartbeat) has no data. */
export interface Frame {
  id?: string;
  data?: string;
  comment?: string;
}

/** The frames of a fetched event stream. Ends with the stream; throws when the connection breaks. */
export async function* readFrames(response: Response): AsyncGenerator<Frame> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) yield parseFrame(frame);
  }
}

function parseFrame(text: string): Frame {
  const frame: Frame = {};
  for (const line of text.split("\n")) {
    if (line.startsWith(":")) frame.comment = line.slice(1).trim();
    else if (line.startsWith("id: ")) frame.id = line.slice(4);
    else if (line.startsWith("data: "))
      frame.data = `${frame.data === undefined ? "" : `${frame.data}\n`}${line.slice(6)}`;
  }
  return frame;
}
