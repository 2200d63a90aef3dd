import type { UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { all, logOf } from "./conversations.ts";
import type { ToldError } from "./driver.ts";
import type { Case } from "./suite.ts";

/** Readers that come late, read slowly, or ask for what is not there. */
export function readingCases({ inSession, driver, mock, newId }: Case): void {
  inSession("events are told from the beginning, or from behind a sequence", async (client, session) => {
    await client.call("ask", { session, text: "echo a b c" });
    const log = await logOf(client, session);
    const read = (after: number | undefined) =>
      take(client.stream("events", { session, after }), log.length - (after ?? 0));
    expect(await read(undefined)).toEqual(log);
    expect(await read(5)).toEqual(log.slice(5));
    const plain = log.filter(({ type }) => type !== "item.delta");
    expect(await take(client.stream("events", { session, deltas: false }), plain.length)).toEqual(plain);
  });

  it("a slow consumer gets everything, in its own time", async () => {
    const client = await driver();
    const other = await driver();
    const session = { id: newId(), options: mock() };
    const sequences: number[] = [];
    for await (const event of client.stream("prompt", { session, text: "burst 20000 100", paced: true })) {
      // All of it is on disk, and much more than any buffer holds, before the second is asked for.
      if (sequences.length === 0) await other.call("ask", { session: { id: session.id }, text: "echo after" });
      sequences.push(event.sequence);
    }
    expect(sequences.length).toBeGreaterThan(20_000);
    expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
  });

  inSession("two readers of one turn see the same", async (client, session) => {
    await client.call("ask", { session, text: "echo before" });
    const prompt = { session, text: "tool", options: { messageId: "twice" } };
    const [one, two] = await Promise.all([all(client.stream("prompt", prompt)), all(client.stream("prompt", prompt))]);
    expect(one).toEqual(two);
  });

  inSession(
    "a cursor beyond the end is refused; one of a session that is deleted is told so",
    async (client, session) => {
      await client.call("ask", { session, text: "echo hello" });
      const ahead = all(client.stream("events", { session, after: 10_000 })).catch((error: ToldError) => error.told);
      expect(await ahead).toMatchObject({ name: "Failure", code: "cursor_ahead", status: 409 });
      const seen: UniversalEvent[] = [];
      const reading = async () => {
        for await (const event of client.stream("events", { session })) {
          seen.push(event);
          if (event.type === "turn.ended") await client.call("delete", { session: { id: session.id } });
        }
      };
      await expect(reading()).rejects.toMatchObject({ told: { code: "session_deleted", status: 410 } });
      expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => index + 1));
      const late = all(client.stream("events", { session: { id: session.id }, after: 3 }));
      await expect(late).rejects.toMatchObject({ told: { code: "session_deleted", status: 410 } });
    },
  );
}

/** The first events of a stream that goes on. */
export async function take(events: AsyncIterable<UniversalEvent>, count: number): Promise<UniversalEvent[]> {
  const seen: UniversalEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length === count) break;
  }
  return seen;
}
