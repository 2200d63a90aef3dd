import { Conversation } from "@muster/conformance";
import type { UniversalEvent } from "@muster/schema";
import { afterEach, expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";

let home: DaemonHome;

afterEach(() => home.remove());

it("a message to an agent that waits is accepted and given with one write, and so with one sync", async () => {
  home = await DaemonHome.make();
  const { api } = await home.start();
  const talk = await Conversation.open(api);
  await talk.say("echo one");
  const { sequence } = await api.post<{ sequence: number }>(`/sessions/${talk.sessionId}/messages`, {
    message: "echo two",
  });
  const page = await api.get<{ events: UniversalEvent[] }>(
    `/sessions/${talk.sessionId}/events?offset=${sequence - 1}&limit=5`,
  );
  expect(page.events.map(({ type, data }) => [type, "status" in data ? data.status : undefined])).toEqual([
    ["message.updated", "queued"],
    ["message.updated", "given"],
    ["turn.started", undefined],
    ["item.started", undefined],
    ["item.completed", undefined],
  ]);
  // The time of an event is that of its append.
  expect(new Set(page.events.map(({ time }) => time)).size).toBe(1);
});
