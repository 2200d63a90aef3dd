import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { outcomeOf, owedOf } from "./call-life.ts";
import { CallUnderWay } from "./call-under-way.ts";

let server: Server;
let asked: Promise<ServerResponse>;
beforeEach(async () => {
  server = createServer();
  asked = once(server, "request").then(([, response]) => response as ServerResponse);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function call(): CallUnderWay {
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/v1/messages`);
  return new CallUnderWay({ url, headers: {}, body: Buffer.from("{}") });
}

it.each([
  [200, "answering", "settle by estimate"],
  [201, "answering", "settle by estimate"],
  [302, "refused", "release"],
  [429, "refused", "release"],
  [500, "refused", "release"],
])("a head of status %s: %s, %s", async (status, stage, owed) => {
  const underWay = call();
  const head = underWay.head();
  (await asked).writeHead(status).end("x");
  expect((await head)?.statusCode).toBe(status);
  expect([underWay.life.stage, owedOf(underWay.life)]).toEqual([stage, owed]);
  underWay.end(0);
});

it("a provider that breaks off before its head is owed nothing", async () => {
  const underWay = call();
  (await asked).destroy();
  expect(await underWay.head()).toBeUndefined();
  expect([outcomeOf(underWay.life), owedOf(underWay.life)]).toEqual(["cut off", "release"]);
});

it("a provider whose client left has its time, then it is cut off and owed by estimate", async () => {
  const underWay = call();
  const response = await asked;
  const closed = once(response, "close");
  underWay.leave(20);
  expect(await underWay.head()).toBeUndefined();
  await closed;
  expect([outcomeOf(underWay.life), owedOf(underWay.life)]).toEqual(["client gone", "settle by estimate"]);
});

it("a provider that goes on after its end is left", async () => {
  const underWay = call();
  const head = underWay.head();
  const response = await asked;
  response.write("data: [DONE]\n\n");
  await head;
  underWay.note("completed");
  underWay.end(20);
  await once(response, "close");
  expect(outcomeOf(underWay.life)).toBe("completed");
});

it("a connection that ends is used again", async () => {
  for (let round = 0; round < 2; round++) {
    asked = once(server, "request").then(([, response]) => response as ServerResponse);
    const underWay = call();
    const head = underWay.head();
    (await asked).end("whole");
    const source = await head;
    underWay.end(60_000);
    if (source) await once(source, "close");
  }
  const count = await new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
  expect(count).toBe(1);
});
