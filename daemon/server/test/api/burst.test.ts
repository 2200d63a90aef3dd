import { checkInvariants } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { SseReader } from "../sse-reader.ts";

const deltas = 100_000;
const megabyte = 1024 * 1024;

it("ten readers of a burst each get every event once and in order, whatever they do in between", async () => {
  const home = await DaemonHome.make();
  try {
    const daemon = await home.start();
    const { api } = daemon;
    await api.post("/sessions/burst", { agent: "mock" });
    const readers = Array.from({ length: 10 }, () => new SseReader(`${api.baseUrl}/sessions/burst/events/sse`));
    await Promise.all(readers.map((reader) => reader.connect()));
    const [paused, restless] = readers as [SseReader, SseReader];

    await api.post("/sessions/burst/messages", { message: `burst ${deltas}` });
    await paused.until(1_000);
    paused.pause();
    const resumed = new Promise<void>((resolve) => {
      setTimeout(() => {
        paused.resume();
        resolve();
      }, 5_000);
    });
    for (let round = 1; round <= 20; round++) {
      await restless.until((deltas / 21) * round);
      await restless.reconnect();
    }
    const last = await lastSequence(api, "burst");
    await Promise.all(readers.map((reader) => reader.until(last)));
    await resumed;

    expect(last).toBeGreaterThan(deltas);
    expect(readers.map(({ count, isInOrder }) => ({ count, isInOrder }))).toEqual(
      readers.map(() => ({ count: last, isInOrder: true })),
    );
    expect(new Set(readers.map((reader) => reader.digest())).size).toBe(1);
    expect(daemon.peakMemory()).toBeLessThan(250 * megabyte);
    for (const reader of readers) reader.leave();
    expect(checkInvariants(await api.log("burst"))).toEqual([]);
  } finally {
    await home.remove();
  }
});

/** The number of the last event, once the turn is over. */
async function lastSequence(api: { get<T>(path: string): Promise<T> }, sessionId: string): Promise<number> {
  for (;;) {
    const { state, lastSequence: last } = await api.get<{ state: string; lastSequence: number }>(
      `/sessions/${sessionId}`,
    );
    if (state === "idle") {
      const { events } = await api.get<{ events: UniversalEvent[] }>(
        `/sessions/${sessionId}/events?offset=${last - 1}`,
      );
      expect(events.map(({ type }) => type)).toEqual(["turn.ended"]);
      return last;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
