import { SessionId, SessionState } from "@muster/schema";
import { z } from "zod";
import type { ListedEntry } from "./session-index.ts";

/** `broken` counts the lines that are no use. */
export function readIndexLines(text: string): { entries: Map<string, ListedEntry>; broken: number } {
  const entries = new Map<string, ListedEntry>();
  let broken = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      const entry = Line.parse(JSON.parse(line));
      if ("deleted" in entry) entries.delete(entry.sessionId);
      else entries.set(entry.sessionId, entry);
    } catch {
      // A torn or damaged line: the folder it spoke of is looked at instead.
      broken++;
    }
  }
  return { entries, broken };
}

const Line = z.union([
  z.object({ sessionId: SessionId, deleted: z.literal(true) }),
  z.object({
    sessionId: SessionId,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().optional(),
    state: SessionState,
    agent: z.string().optional(),
    directory: z.string().optional(),
  }),
]);
