import type { Readable } from "node:stream";
import { type Line, type LineOptions, LineSplitter } from "./line-splitter.ts";

/** The lines of a stream as they come. */
export async function* readLines(stream: Readable, options?: Partial<LineOptions>): AsyncGenerator<Line> {
  const splitter = new LineSplitter(options);
  for await (const chunk of stream) yield* splitter.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  yield* splitter.end();
}
