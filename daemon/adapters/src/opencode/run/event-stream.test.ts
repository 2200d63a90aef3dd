import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Line } from "@muster/node";
import { expect, onTestFinished, test } from "vitest";
import { EventStream } from "./event-stream.ts";
import { OpencodeHttp } from "./http.ts";
import { rereadLines } from "./reread.ts";

/** A server that speaks like OpenCode's and loses its connections when told to. */
async function makeServer(routes: Record<string, unknown> = {}) {
  const streams = new Set<ServerResponse>();
  const refused = { next: 0 };
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    if (request.headers.authorization !== `Basic ${Buffer.from("opencode:secret").toString("base64")}`) {
      response.writeHead(401).end();
    } else if (path === "/global/event") {
      if (refused.next-- > 0) return response.writeHead(503).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      streams.add(response);
      response.write('data: {"payload":{"type":"server.connected","properties":{}}}\n\n');
    } else if (Object.hasOwn(routes, path)) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(routes[path]));
    } else {
      response.writeHead(200, { "content-type": "text/html" }).end("<html></html>");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const drop = () => {
    for (const stream of streams) stream.destroy();
    streams.clear();
  };
  const say = (line: string) => {
    for (const stream of streams) stream.write(`data: ${line}\n\n`);
  };
  return { http: new OpencodeHttp(base, "secret"), base, drop, say, refused };
}

async function openStream(http: OpencodeHttp, silenceMs?: number) {
  const lines: Line[] = [];
  let gaps = 0;
  const stream = new EventStream({
    http,
    onLines: (more) => lines.push(...more),
    onGap: async () => {
      gaps++;
    },
    log: () => {},
    silenceMs,
  });
  onTestFinished(() => stream.close());
  await stream.open(5_000);
  return { stream, lines, gaps: () => gaps };
}

test("lines come as they are said; a stream that drops is opened again and the gap is told", async () => {
  const server = await makeServer();
  const { lines, gaps } = await openStream(server.http);
  server.say('{"n":1}');
  await expect.poll(() => lines).toContain('{"n":1}');
  server.refused.next = 2;
  server.drop();
  await expect.poll(gaps, { timeout: 10_000 }).toBe(1);
  server.say('{"n":2}');
  await expect.poll(() => lines).toContain('{"n":2}');
});

test("a stream that falls silent is opened again", async () => {
  const { http } = await makeServer();
  const { gaps } = await openStream(http, 100);
  await expect.poll(gaps, { timeout: 10_000 }).toBeGreaterThan(0);
});

test("a server that refuses the stream makes opening fail in time", async () => {
  const { base } = await makeServer();
  const stream = new EventStream({
    http: new OpencodeHttp(base, "wrong"),
    onLines: () => {},
    onGap: async () => {},
    log: () => {},
  });
  onTestFinished(() => stream.close());
  await expect(stream.open(300)).rejects.toThrow("did not open its event stream");
});

test("a route the server does not know, which it answers with a web page, is a failure", async () => {
  const { http } = await makeServer();
  await expect(http.get("/no/such/route")).rejects.toThrow("text/html");
});

test("reading again brings the sub-agents first, then everything of all of them", async () => {
  const message = (sessionID: string) => ({
    info: { id: `msg_${sessionID}`, sessionID, role: "user", time: { created: 1 } },
    parts: [],
  });
  const { http } = await makeServer({
    "/session/status": { ses_a: { type: "busy" } },
    "/session/ses_a/children": [{ id: "ses_b", title: "x" }],
    "/session/ses_b/children": [{ id: "ses_c" }],
    "/session/ses_c/children": [],
    "/session/ses_a/message": [message("ses_a")],
    "/session/ses_b/message": [message("ses_b")],
    "/session/ses_c/message": [],
    "/permission": [
      { id: "per_1", sessionID: "ses_c" },
      { id: "per_2", sessionID: "ses_other" },
    ],
    "/question": [],
  });
  const read = await rereadLines(http, "ses_a", "/workspace");
  expect(read.wasIdle).toBe(false);
  const lines = read.lines.map((line) => JSON.parse(line));
  expect(lines.map(({ type }) => type)).toEqual(["session.created", "session.created", "daemon.reread"]);
  expect(lines[1].properties.info).toEqual({ id: "ses_c", parentID: "ses_b" });
  expect(lines[2].properties).toMatchObject({
    status: { type: "busy" },
    messages: [{ info: { sessionID: "ses_a" } }, { info: { sessionID: "ses_b" } }],
    permissions: [{ id: "per_1" }],
  });
});
