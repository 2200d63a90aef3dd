import type { Client } from "@muster/client";
import type { Session } from "@muster/schema";

/** Among so many events the first thing that was said is, or nothing was said yet. */
const firstEvents = 40;
const longest = 80;

/** What a session is called in an editor's list: its title, else the beginning of the first thing that was said in it. */
export async function titleOf(client: Client, { sessionId, title }: Session): Promise<string | undefined> {
  if (title !== undefined) return title;
  const first = { sessionId, limit: firstEvents, deltas: false };
  // Deleted meanwhile, or unreadable: a list needs no title.
  const { events } = await client.sessions.getEvents(first).catch(() => ({ events: [] }));
  for (const event of events) {
    if (event.type !== "item.completed" || event.data.item.role !== "user") continue;
    const said = event.data.item.content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
    const line = said.replaceAll(/\s+/g, " ").trim();
    if (line !== "") return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
  }
  return undefined;
}
