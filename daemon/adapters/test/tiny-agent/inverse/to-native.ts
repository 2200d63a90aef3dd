import type { EventBody } from "@muster/schema";
import type { Command } from "../../../src/commands.ts";
import type { TinyLine } from "../read/native.ts";

/** A message is two events here, begun and completed, so none of them is a line by itself. */
export function nativeLine(_body: EventBody): TinyLine | null {
  return null;
}

export function commandOf(line: TinyLine): Command | null {
  return "ask" in line ? { type: "message", messageId: line.ask, text: line.text, attachments: [] } : null;
}
