import type { Readable } from "node:stream";

/** A line longer than this is no message of ours; it is given as undefined and its bytes are dropped. */
const longestLine = 64 * 1024 * 1024;

/** Lines of UTF-8 text, cut at LF alone: U+2028 is legal inside JSON. The last line may lack its LF. */
export async function* readLines(stream: Readable): AsyncGenerator<string | undefined> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = () => {
    const line = length > longestLine ? undefined : Buffer.concat(pieces).toString("utf8");
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    let from = 0;
    for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
      keep(bytes.subarray(from, to));
      yield take();
      from = to + 1;
    }
    keep(bytes.subarray(from));
  }
  if (length > 0) yield take();

  function keep(piece: Buffer): void {
    length += piece.length;
    if (length <= longestLine) pieces.push(piece);
    else pieces = [];
  }
}
