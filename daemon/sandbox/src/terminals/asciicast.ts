import { bytesOf } from "../processes/log/output-lines.ts";
import type { SandboxProcess } from "../processes/sandbox-process.ts";

/** More is read from the log itself. */
const mostBytes = 64 * 1024 * 1024;

/** The log of a terminal as an asciicast (version 2), which players of such recordings show. */
export async function asciicastOf(process: SandboxProcess, offset = 0): Promise<string> {
  const { firstSize: first = { columns: 80, rows: 24 }, createdAt, command, args } = process.record;
  const started = Date.parse(createdAt);
  const events: string[] = [];
  // A character that goes on in the next piece is told with that one.
  const decoder = new TextDecoder();
  for (let [at, hasMore] = [offset, true]; hasMore && at - offset < mostBytes; ) {
    const page = await process.read(at, 1024 * 1024);
    for (const chunk of page.chunks) {
      const seconds = Math.max(0, (Date.parse(chunk.time) - started) / 1000);
      if (chunk.type === "output") {
        events.push(JSON.stringify([seconds, "o", decoder.decode(bytesOf(chunk), { stream: true })]));
      } else if (chunk.type === "resized") {
        events.push(JSON.stringify([seconds, "r", `${chunk.columns}x${chunk.rows}`]));
      }
    }
    hasMore = page.hasMore && page.chunks.length > 0;
    at = page.next;
  }
  const header = {
    version: 2,
    width: first.columns,
    height: first.rows,
    timestamp: Math.floor(started / 1000),
    command: [command, ...args].join(" "),
  };
  return `${[JSON.stringify(header), ...events].join("\n")}\n`;
}
