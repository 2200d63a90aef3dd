import type { LogForm, NewLines } from "@muster/log";
import type { ProcessChunk } from "@muster/schema";

/** What a line of the log says beside its number and time: the first bytes of a line have its place in the output. */
export type LineContent = DistributiveOmit<ProcessChunk, "sequence" | "time" | "text">;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const key = '{"sequence":';
const longestLine = 256 * 1024;

/** What a log of a process is told about its lines. */
export function outputForm(processId: string): LogForm {
  return {
    owner: { processId },
    title: `The log of process ${processId}`,
    prefix: "output",
    key,
    longest: longestLine,
    shortest: 60,
    isSkippable: () => false,
    // Where it stood in the output is not known: the lines before and behind it say how much is missing.
    damageLine: ({ from, to, bytes }, time) => JSON.stringify({ sequence: to, type: "damaged", from, bytes, time }),
  };
}

/** One line for each content, numbered from `first` on. */
export function outputLines(first: number, contents: readonly LineContent[]): NewLines {
  const time = new Date().toISOString();
  const lines = contents.map((content, index) =>
    Buffer.from(`${JSON.stringify({ sequence: first + index, ...content, time })}\n`),
  );
  let end = 0;
  const ends = lines.map((line) => {
    end += line.length;
    return end;
  });
  return { bytes: Buffer.concat(lines), start: 0, first, ends, time, skippable: lines.map(() => false) };
}

/** A line without its newline → what it says. */
export function chunkOf(line: Buffer): ProcessChunk {
  return JSON.parse(line.toString("latin1")) as ProcessChunk;
}

/** The bytes of a chunk; none where it tells something else. */
export function bytesOf(chunk: ProcessChunk): Buffer {
  if (chunk.type !== "output") return Buffer.alloc(0);
  return chunk.data === undefined ? Buffer.from(chunk.text ?? "") : Buffer.from(chunk.data, "base64");
}
