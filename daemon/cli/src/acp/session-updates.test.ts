import { PassThrough, Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";
import type { UniversalEvent } from "@muster/schema";
import { expect, test } from "vitest";
import { recordedSessions } from "../../../server/test/recorded-events.ts";
import { JsonRpcPeer } from "./json-rpc.ts";
import { SessionUpdates } from "./session-updates.ts";

const sessionId = "recorded";

test("the official client takes every update of every recording, live and loaded", async () => {
  const sent = [true, false].flatMap((showsUser) =>
    recordedSessions.flatMap(({ events }) => {
      const updates = new SessionUpdates({ showsUser });
      return events.flatMap((event) => updates.push(event));
    }),
  );
  const kinds = new Set(sent.map(({ sessionUpdate }) => sessionUpdate));
  for (const kind of ["user_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "notice"]) {
    expect(kinds).toContain(kind);
  }
  expect(sent.flatMap((update) => ("content" in update ? [update.content].flat() : []))).toContainEqual(
    expect.objectContaining({ type: "diff", newText: expect.any(String) }),
  );
  const received = await take(sent);
  expect(received).toEqual(JSON.parse(JSON.stringify(sent)));
});

test("events and parts of a newer daemon are passed over", () => {
  const updates = new SessionUpdates({ showsUser: true });
  const item = {
    itemId: "i",
    kind: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "hologram" }],
  };
  for (const body of [
    { type: "session.dreamt", data: {} },
    { type: "item.completed", data: { item } },
  ]) {
    const event = { sequence: 1, time: "", sessionId, source: "agent", ...body } as unknown as UniversalEvent;
    expect(updates.push(event)).toEqual([]);
  }
});

/** What an official client makes of updates that come over a pipe; it drops what it cannot parse. */
async function take(updates: readonly acp.SessionUpdate[]): Promise<acp.SessionUpdate[]> {
  const [down, up] = [new PassThrough(), new PassThrough()];
  const received: acp.SessionUpdate[] = [];
  const peer = new JsonRpcPeer({ input: up, output: down, handlers: {} });
  const all = new Promise<void>((resolve) => {
    acp
      .client({ name: "an editor" })
      .onNotification(acp.methods.client.session.update, ({ params }) => {
        if (params.update.sessionUpdate === "session_info_update" && params.update.title === "the end") resolve();
        else received.push(params.update);
      })
      .connect(
        acp.ndJsonStream(
          Writable.toWeb(up) as WritableStream<Uint8Array>,
          Readable.toWeb(down) as unknown as ReadableStream<Uint8Array>,
        ),
      );
  });
  for (const update of updates) await peer.notify("session/update", { sessionId, update });
  await peer.notify("session/update", {
    sessionId,
    update: { sessionUpdate: "session_info_update", title: "the end" },
  });
  await all;
  return received;
}
