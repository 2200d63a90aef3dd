import type { UniversalEvent } from "@muster/schema";
import { beforeEach, describe, expect, it } from "vitest";
import { all, logOf } from "./conversations.ts";
import type { Driver, GivenSession } from "./driver.ts";
import { take } from "./readings.ts";
import type { Case } from "./suite.ts";

/** Connections that are cut anywhere, a daemon that goes and comes back: no event is lost, none comes twice. */
export function cutCases({ inSession, driver, mock, newId, network }: Case): void {
  beforeEach(() => network().proxy.cutAfter());

  describe("a recorded session", () => {
    it("is read whole, cut behind every one of its events", async () => {
      const client = await driver();
      const { session, log } = await record(client);
      expect(log.length).toBeGreaterThan(100);
      expect(log.length).toBeLessThanOrEqual(300);
      const { proxy } = network();
      for (let frames = 0; frames < log.length; frames++) {
        const before = proxy.cuts;
        proxy.cutAfter({ frames });
        expect(await take(client.stream("events", { session, after: 0 }), log.length)).toEqual(log);
        expect(proxy.cuts - before).toBe(1);
      }
    });

    it("is read whole, cut at random bytes", async () => {
      const client = await driver();
      const { session, log } = await record(client);
      const { proxy } = network();
      const size = log.reduce((sum, event) => sum + JSON.stringify(event).length + 16, 0);
      for (let round = 0; round < 20; round++) {
        const limits = Array.from({ length: 3 }, () => ({ bytes: Math.floor(Math.random() * size) }));
        proxy.cutAfter(...limits);
        const read = await take(client.stream("events", { session, after: 0 }), log.length);
        expect(read, JSON.stringify(limits)).toEqual(log);
      }
      proxy.cutAfter();
    });

    async function record(client: Driver): Promise<{ session: GivenSession; log: UniversalEvent[] }> {
      const session = { id: newId(), options: mock(), answers: { permission: "once", plan: "approve" } };
      for (const text of ["reasoning", "permission ls", "markdown", "plan", "burst 40"]) {
        await client.call("ask", { session, text });
      }
      return { session: { id: session.id }, log: await logOf(client, session) };
    }
  });

  inSession("a prompt goes on over cuts", async (client, session) => {
    await client.call("ask", { session, text: "echo before" });
    const { proxy } = network();
    proxy.cutAfter(...Array.from({ length: 30 }, (_, index) => ({ bytes: 300 + 37 * index })));
    const events = await all(client.stream("prompt", { session, text: "burst 200" }));
    proxy.cutAfter();
    const log = await logOf(client, session);
    expect(events).toEqual(log.slice(-events.length));
    expect(events.at(-1)?.type).toBe("turn.ended");
    expect(events[0]).toMatchObject({ type: "message.updated", data: { status: "queued" } });
  });

  inSession("a message whose answer is cut is sent once", async (client, session) => {
    await client.call("ask", { session, text: "echo before" });
    network().proxy.cutAfter({ bytes: 0 }, { bytes: 40 });
    expect(await client.call("ask", { session, text: "echo once" })).toBe("once");
    const log = await logOf(client, session);
    const texts = log.flatMap((event) => (event.type === "message.updated" ? (event.data.message ?? []) : []));
    expect(texts).toEqual(["echo before", "echo once"]);
  });

  inSession("a daemon that restarts under its readers is read on", async (client, session) => {
    await client.call("ask", { session, text: "echo before" });
    const before = await logOf(client, session);
    const seen: UniversalEvent[] = [];
    let asking: Promise<string> | undefined;
    for await (const event of client.stream("events", { session, after: 0 })) {
      seen.push(event);
      if (event.sequence === before.length) {
        await network().restart();
        asking = client.call<string>("ask", { session: { id: session.id }, text: "echo after" });
      }
      if (event.type === "turn.ended" && event.sequence > before.length) break;
    }
    expect(await asking).toBe("after");
    expect(seen).toEqual((await logOf(client, session)).slice(0, seen.length));
  });

  inSession("a turn that a restart ends is read to its end", async (client, session) => {
    const seen: UniversalEvent[] = [];
    for await (const event of client.stream("prompt", { session, text: "slow 60000" })) {
      seen.push(event);
      if (event.type === "turn.started") await network().restart();
    }
    expect(seen.at(-1)).toMatchObject({ type: "turn.ended", data: { status: "interrupted" } });
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => (seen[0]?.sequence ?? 0) + index));
  });
}
