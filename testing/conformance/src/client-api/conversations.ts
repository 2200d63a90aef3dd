import type { SentMessage, UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { checkInvariants } from "../check-invariants.ts";
import type { Driver, GivenSession } from "./driver.ts";
import type { Case } from "./suite.ts";

/** Prompts, answers, and what can be said while a turn is open. */
export function conversationCases({ inSession, driver, mock, newId }: Case): void {
  inSession("the first use creates the session; ask gives the final text", async (client, session) => {
    expect(await client.call("ask", { session, text: "echo hello" })).toBe("hello");
    expect(await client.call("ask", { session: { id: session.id }, text: "echo again" })).toBe("again");
    expect(await view(client, session)).toMatchObject({ agent: "mock", state: "idle" });
  });

  inSession("a prompt gives every event from the message to the end of its turn", async (client, session) => {
    await client.call("ask", { session, text: "echo before" });
    const events = await all(client.stream("prompt", { session, text: "tool", options: { messageId: "mine" } }));
    expect(events[0]).toMatchObject({ type: "message.updated", data: { messageId: "mine", status: "queued" } });
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { status: "completed" } });
    const log = await logOf(client, session);
    expect(events).toEqual(log.slice(-events.length));
    expect(checkInvariants(log, { finished: false })).toEqual([]);
    const without = client.stream("prompt", { session, text: "echo a b", options: { deltas: false, raw: true } });
    const filtered = await all(without);
    expect(filtered.filter(({ type }) => type === "item.delta")).toEqual([]);
    expect(filtered.every((event) => "raw" in event)).toBe(true);
  });

  it("handlers answer permissions, questions and plans", async () => {
    const client = await driver();
    const answers = { permission: "once", question: { answers: [["Red"]] }, plan: "approve" };
    const session = { id: newId(), options: mock(), answers };
    expect(await client.call("ask", { session, text: "permission ls" })).toBe("I was allowed to: ls");
    expect(await client.call("ask", { session, text: "question" })).toBe("You answered: Red.");
    expect(await client.call("ask", { session, text: "plan" })).toBe("The plan is done.");
    const rejecting = { id: session.id, answers: { permission: { reply: "reject", message: "not now" } } };
    const events = await all(client.stream("prompt", { session: rejecting, text: "permission rm" }));
    const resolved = events.find(({ type }) => type === "permission.resolved");
    expect(resolved?.data).toMatchObject({ decision: "reject", by: "user", message: "not now" });
  });

  it("a handler that gives no answer leaves the request to another client", async () => {
    const client = await driver();
    const other = await driver();
    const session = { id: newId(), options: mock(), answers: { permission: null } };
    const asking = client.call("ask", { session, text: "permission ls" });
    for await (const event of other.stream("events", { session: { id: session.id, options: mock() } })) {
      if (event.type !== "permission.requested") continue;
      const fields = { sessionId: session.id, permissionId: event.data.permissionId, reply: "once" };
      await other.call("operation", { id: "sessions.replyPermission", fields });
      break;
    }
    expect(await asking).toBe("I was allowed to: ls");
  });

  inSession("queue waits for the end of the turn, steer joins it, interrupt ends it", async (client, session) => {
    let queued: SentMessage | undefined;
    let steered: SentMessage | undefined;
    const seen: UniversalEvent[] = [];
    for await (const event of client.stream("prompt", { session, text: "slow 60000" })) {
      seen.push(event);
      if (event.type !== "turn.started") continue;
      queued = await client.call<SentMessage>("queue", { session, text: "echo queued" });
      steered = await client.call<SentMessage>("steer", { session, text: "quickly" });
      await client.call("interrupt", { session });
    }
    expect(seen.at(-1)).toMatchObject({ type: "turn.ended", data: { status: "interrupted" } });
    expect(steered?.sequence).toBeGreaterThan(queued?.sequence ?? Number.POSITIVE_INFINITY);
    expect(await client.call("ask", { session, text: "echo last" })).toBe("last");
    const turns = (await logOf(client, session)).filter(({ type }) => type === "turn.ended");
    expect(turns.length).toBeGreaterThanOrEqual(3);
  });

  inSession(
    "terminate ends the life, a later message begins another, delete ends the session",
    async (client, session) => {
      await client.call("ask", { session, text: "echo a" });
      await client.call("terminate", { session });
      expect(await client.call("ask", { session, text: "echo b" })).toBe("b");
      await client.call("delete", { session });
      await expect(view(client, session)).rejects.toMatchObject({ told: { code: "session_deleted", status: 410 } });
    },
  );

  inSession("watch tells of all sessions", async (client, session) => {
    const watching = client.stream("watch", {});
    const first = watching.next();
    // The reading may begin after the first message: it is told of the one that comes when it has begun.
    const saying = new AbortController();
    const talk = (async () => {
      while (!saying.signal.aborted) await client.call("ask", { session, text: "echo hello" });
    })();
    const types = new Set([(await first).value?.type]);
    for await (const { type } of watching) {
      types.add(type);
      if (type === "turn.ended") break;
    }
    saying.abort();
    await talk;
    expect([...types]).not.toContain("item.delta");
  });

  inSession("messages arrive in the order they were sent in", async (client, session) => {
    await client.call("ask", { session, text: "echo first" });
    const texts = Array.from({ length: 8 }, (_, index) => `echo ${index}`);
    for (const text of texts) await client.call("queue", { session, text });
    await client.call("ask", { session, text: "echo last" });
    const log = await logOf(client, session);
    const queued = log.flatMap((event) => (event.type === "message.updated" ? (event.data.message ?? []) : []));
    expect(queued).toEqual(["echo first", ...texts, "echo last"]);
  });
}

export async function all(events: AsyncIterable<UniversalEvent>): Promise<UniversalEvent[]> {
  const seen: UniversalEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

export async function logOf(client: Driver, { id }: GivenSession): Promise<UniversalEvent[]> {
  const fields = { sessionId: id, limit: 10_000 };
  const page = await client.call<{ events: UniversalEvent[] }>("operation", { id: "sessions.getEvents", fields });
  return page.events;
}

function view(client: Driver, { id }: GivenSession): Promise<Record<string, unknown>> {
  return client.call("operation", { id: "sessions.get", fields: { sessionId: id } });
}
