import type { ProcessChunk } from "@muster/schema";
import { printable } from "./printable.ts";

/** One line of a process's log for people: what it wrote as it stands but for control characters, and notes in brackets. */
export function chunkText(chunk: ProcessChunk): string {
  switch (chunk.type) {
    case "output":
      return printable(chunk.text ?? Buffer.from(chunk.data ?? "", "base64").toString("utf8"));
    case "resized":
      return `[${chunk.columns} × ${chunk.rows}]\n`;
    case "adopted":
      return "[taken over by a daemon that started anew; nothing is missing]\n";
    case "ended":
      return `[${chunk.reason}${chunk.exitCode === null ? "" : `, exit code ${chunk.exitCode}`}${chunk.signal === null ? "" : `, ${chunk.signal}`}]\n`;
    case "damaged":
      return `[${chunk.bytes} bytes of the log cannot be read any more]\n`;
  }
}
