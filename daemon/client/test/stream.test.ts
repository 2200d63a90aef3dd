import { Failure, type UniversalEvent } from "@muster/schema";
import { afterEach, describe, expect, it } from "vitest";
import { ConnectionFailure, createClient } from "../src/index.ts";
import {
  delta,
  eventsThenBreak,
  eventsThenEnd,
  eventsThenOpen,
  json,
  messageUpdated,
  problem,
  startScriptedServer,
  turnEnded,
  turnStarted,
} from "./scripted-server.ts";

let server: Awaited<ReturnType<typeof startScriptedServer>>;
afterEach(() => server?.close());

const reconnect = { attempts: 3, firstDelayMs: 1, maxDelayMs: 5 };
const connect = (options = {}) => createClient({ endpoint: server.endpoint, reconnect, ...options });
const s1 = { params: { sessionId: "s1" } };

describe("stream of events", () => {
  it("gives every event once over broken, ended and refused connections", async () => {
    server = await startScriptedServer(
      eventsThenBreak(delta(1), delta(2)),
      eventsThenEnd(delta(2), delta(3)),
      problem(503, "shutting_down", "later"),
      (response) => void response.destroy(),
      eventsThenOpen(delta(1), delta(2), delta(3), delta(4)),
    );
    const events = connect().stream("sessions.streamEvents", { ...s1, query: { offset: 0, deltas: true } });
    expect((await first(4, events)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(server.requests.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "3", "3", "3"]);
    expect(new Set(server.requests.map(({ url }) => url))).toEqual(
      new Set(["/sessions/s1/events/sse?offset=0&deltas=true"]),
    );
  });

  it("keeps one cursor per session when several share the connection", async () => {
    const of = (sessionId: string, sequence: number) => ({ ...delta(sequence), sessionId }) as UniversalEvent;
    server = await startScriptedServer(
      eventsThenBreak(of("a", 1), of("b", 1), of("a", 2)),
      eventsThenOpen(of("a", 2), of("b", 1), of("b", 2)),
    );
    const events = await first(4, connect().events.stream({ sessions: "a,b" }));
    expect(events.map(({ sessionId, sequence }) => `${sessionId}:${sequence}`)).toEqual(["a:1", "b:1", "a:2", "b:2"]);
  });

  it("fails at once when the first connection fails", async () => {
    server = await startScriptedServer(problem(404, "session_not_found", "no s1"));
    await expect(first(1, connect().stream("sessions.streamEvents", s1))).rejects.toThrow(Failure);
    expect(server.requests).toHaveLength(1);
    await server.close();
    await expect(first(1, connect().stream("sessions.streamEvents", s1))).rejects.toThrow(ConnectionFailure);
  });

  it("fails with the problem when the session is deleted in between", async () => {
    server = await startScriptedServer(eventsThenEnd(delta(1)), problem(410, "session_deleted", "gone"));
    const events = connect().stream("sessions.streamEvents", s1);
    await expect(first(2, events)).rejects.toMatchObject({ code: "session_deleted", status: 410 });
    expect(server.requests).toHaveLength(2);
  });

  it("gives up after the attempts it has", async () => {
    server = await startScriptedServer(eventsThenBreak(delta(1)), (response) => void response.destroy());
    await expect(first(2, connect().stream("sessions.streamEvents", s1))).rejects.toThrow(ConnectionFailure);
    expect(server.requests).toHaveLength(1 + reconnect.attempts);
  });

  it("reconnects when not even a heartbeat arrives", async () => {
    server = await startScriptedServer(eventsThenOpen(delta(1)), eventsThenOpen(delta(2)));
    const events = connect({ silenceMs: 30 }).stream("sessions.streamEvents", s1);
    expect((await first(2, events)).map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  it("refuses an answer that is not a stream of events, without trying again", async () => {
    server = await startScriptedServer(json(200, {}), (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end("data: hello\n\n");
    });
    await expect(first(1, connect().stream("sessions.streamEvents", s1))).rejects.toThrow(
      /not answer with an event stream/,
    );
    await expect(first(1, connect().stream("sessions.streamEvents", s1))).rejects.toThrow(
      /a frame that is not an event/,
    );
    expect(server.requests).toHaveLength(2);
  });

  it("rejects with the caller's reason when it is aborted while open and while waiting to reconnect", async () => {
    server = await startScriptedServer(eventsThenOpen(delta(1)), eventsThenBreak(delta(1)));
    for (const firstDelayMs of [1, 60_000]) {
      const controller = new AbortController();
      const options = { reconnect: { attempts: 3, firstDelayMs, maxDelayMs: 60_000 } };
      const reading = (async () => {
        const events = connect(options).stream("sessions.streamEvents", { ...s1, signal: controller.signal });
        for await (const _ of events) setTimeout(() => controller.abort(new Error("enough")), 20);
      })();
      await expect(reading).rejects.toThrow("enough");
    }
    expect(server.requests).toHaveLength(2);
  });

  it("closes the connection when the reader leaves", async () => {
    const closed = new Promise<void>((resolve) => {
      void startScriptedServer((response, request) => {
        response.on("close", resolve);
        eventsThenOpen(delta(1))(response, request);
      }).then(async (started) => {
        server = started;
        await first(1, connect().stream("sessions.streamEvents", s1));
      });
    });
    await closed;
  });
});

describe("stream of a message", () => {
  const body = { message: "hi", messageId: "m1" };

  it("ends with the turn of its message, not with another turn", async () => {
    server = await startScriptedServer(
      eventsThenOpen(
        messageUpdated(1, "m1", "queued"),
        turnEnded(2, "turn_0"),
        messageUpdated(3, "m1", "given", "turn_1"),
        turnStarted(4, "turn_1", ["m1"]),
        turnEnded(5, "turn_1"),
        delta(6),
      ),
    );
    const events = await first(10, connect().stream("sessions.streamMessage", { ...s1, body }));
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
  });

  it("goes on through the session's events when it is dropped, until the turn has ended", async () => {
    server = await startScriptedServer(
      eventsThenBreak(messageUpdated(7, "m1", "queued"), turnStarted(8, "turn_1", ["m1"])),
      eventsThenBreak(delta(9)),
      eventsThenOpen(turnEnded(10, "turn_1"), delta(11)),
    );
    const events = await first(
      10,
      connect().stream("sessions.streamMessage", { ...s1, body, query: { deltas: false } }),
    );
    expect(events.map(({ sequence }) => sequence)).toEqual([7, 8, 9, 10]);
    expect(
      server.requests.map(({ method, url, headers, body }) => [method, url, headers["last-event-id"], body]),
    ).toEqual([
      ["POST", "/sessions/s1/messages/stream?deltas=false", undefined, JSON.stringify(body)],
      ["GET", "/sessions/s1/events/sse?deltas=false", "8", ""],
      ["GET", "/sessions/s1/events/sse?deltas=false", "9", ""],
    ]);
  });

  it("sends the same message id again when it is dropped before the first event", async () => {
    server = await startScriptedServer(eventsThenBreak(), (response, request) => {
      const { messageId } = JSON.parse(request.body);
      eventsThenOpen(turnStarted(1, "turn_1", [messageId]), turnEnded(2, "turn_1"))(response, request);
    });
    expect(await first(10, connect().sessions.streamMessage({ sessionId: "s1", message: "hi" }))).toHaveLength(2);
    const [one, two] = server.requests.map(({ method, body }) => [method, body]);
    expect(one).toEqual(two);
    expect(JSON.parse(one?.[1] ?? "")).toEqual({
      message: "hi",
      messageId: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    });
  });

  it.each(["cancelled", "failed"] as const)("ends when the message is %s", async (status) => {
    server = await startScriptedServer(
      eventsThenOpen(messageUpdated(1, "m1", "queued"), messageUpdated(2, "m1", status)),
    );
    expect(await first(10, connect().stream("sessions.streamMessage", { ...s1, body }))).toHaveLength(2);
  });

  it("ends with the turn a steered message joined", async () => {
    server = await startScriptedServer(
      eventsThenOpen(messageUpdated(4, "m1", "joined", "turn_1"), turnEnded(5, "turn_1")),
    );
    expect(await first(10, connect().stream("sessions.streamMessage", { ...s1, body }))).toHaveLength(2);
  });
});

async function first(count: number, events: AsyncIterable<UniversalEvent>): Promise<UniversalEvent[]> {
  const found: UniversalEvent[] = [];
  for await (const event of events) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}
