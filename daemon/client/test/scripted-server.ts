import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { UniversalEvent } from "@muster/schema";

interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

type Answer = (response: ServerResponse, request: SeenRequest) => void;

/** A real server that gives the n-th request the n-th answer, the last answer for ever. */
export async function startScriptedServer(...answers: [Answer, ...Answer[]]) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const seen = { method, url, headers, body: await text(request) };
    requests.push(seen);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    answer?.(response, seen);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json =
  (status: number, value: unknown, type = "application/json"): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(JSON.stringify(value));

export const problem = (status: number, code: string, detail: string, fields: object = {}): Answer =>
  json(status, { type: `x:${code}`, title: "T", status, detail, code, ...fields }, "application/problem+json");

/** Sends these events and then breaks the connection without ending the answer. */
export const eventsThenBreak =
  (...events: UniversalEvent[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`: 0\n\n${events.map(frameOf).join("")}`, () => response.destroy());
  };

/** Sends these events and stays open. */
export const eventsThenOpen =
  (...events: UniversalEvent[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`: 0\n\n${events.map(frameOf).join("")}`);
  };

export const eventsThenEnd =
  (...events: UniversalEvent[]): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end(events.map(frameOf).join(""));

const frameOf = (event: UniversalEvent) => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`;

const envelope = (sequence: number) => ({
  sequence,
  time: "2026-11-15T19:35:00.123Z",
  sessionId: "s1",
  source: "daemon" as const,
});

export const delta = (sequence: number): UniversalEvent => ({
  ...envelope(sequence),
  type: "item.delta",
  data: { itemId: "i1", index: 0, part: "text", delta: `${sequence}` },
});

export const messageUpdated = (
  sequence: number,
  messageId: string,
  status: "queued" | "given" | "joined" | "cancelled" | "failed",
  turnId?: string,
): UniversalEvent => ({
  ...envelope(sequence),
  type: "message.updated",
  data: { messageId, status, turnId },
});

export const turnStarted = (sequence: number, turnId: string, messageIds: string[]): UniversalEvent => ({
  ...envelope(sequence),
  type: "turn.started",
  data: { turnId, messageIds, origin: "user" },
});

export const turnEnded = (sequence: number, turnId: string): UniversalEvent => ({
  ...envelope(sequence),
  type: "turn.ended",
  data: { turnId, status: "completed", durationMs: 1 },
});
