import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { BytePump, type Passage } from "./byte-pump.ts";
import { callUpstream } from "./upstream.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** A proxy that is nothing but the pump. */
async function pumpFrom(provider: URL, passage: Passage, stalledMs = 60_000) {
  const sources: IncomingMessage[] = [];
  const url = await serve(async (_request, response) => {
    const source = await callUpstream({ url: provider, headers: {}, body: Buffer.alloc(0) }).response;
    sources.push(source);
    const pump = new BytePump(source, response, { stalledMs });
    await pump.run(passage);
    if (source.complete) await pump.end();
    else pump.cut();
  });
  return { url, sources };
}

const untouched: Passage = { push: (bytes) => [bytes], rest: () => [], isDone: false };

it("50 MB of random bytes come out as they went in", async () => {
  const sent = createHash("sha256");
  const provider = await serve(async (_request, response) => {
    for (let n = 0; n < 800; n++) {
      const bytes = Buffer.alloc(65_536, createHash("md5").update(String(n)).digest());
      sent.update(bytes);
      if (!response.write(bytes)) await once(response, "drain");
    }
    response.end();
  });
  const { url } = await pumpFrom(provider, untouched);
  const [answer] = (await once(get(url), "response")) as [IncomingMessage];
  const received = createHash("sha256");
  for await (const bytes of answer) received.update(bytes);
  expect(received.digest("hex")).toBe(sent.digest("hex"));
});

it("the source is read at the pace of the target, and all of it arrives in the end", async () => {
  let taken = 0;
  const piece = Buffer.alloc(16_384, "x");
  const pieces = 500;
  const source = new Readable({
    highWaterMark: piece.length,
    read() {
      taken++;
      this.push(taken > pieces ? null : piece);
    },
  });
  const target = new PassThrough();
  const pump = new BytePump(source, target, { stalledMs: 60_000 });
  const ran = pump.run(untouched);
  await once(source, "pause");
  await new Promise(setImmediate);
  expect(taken).toBeLessThan(20);
  let received = 0;
  target.on("data", (bytes: Buffer) => {
    received += bytes.length;
  });
  await ran;
  await pump.end();
  expect(received).toBe(pieces * piece.length);
});

it("a target that takes nothing is gone, and the source is read to its end", async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(65_536)));
  const target = new PassThrough();
  let seen = 0;
  const pump = new BytePump(source, target, { stalledMs: 20 });
  await pump.run({
    ...untouched,
    push: (bytes) => {
      seen += bytes.length;
      return [bytes];
    },
  });
  expect(target.destroyed).toBe(true);
  expect(seen).toBe(100 * 65_536);
});

it("what a source says after it is done is said to nobody", async () => {
  const source = Readable.from([Buffer.from("one"), Buffer.from("two"), Buffer.from("three")]);
  const target = new PassThrough();
  let count = 0;
  const passage = {
    push: (bytes: Buffer) => [bytes, Buffer.alloc(count++)],
    rest: () => [Buffer.from("rest")],
    get isDone() {
      return count === 2;
    },
  };
  const pump = new BytePump(source, target, { stalledMs: 60_000 });
  await pump.run(passage);
  await pump.end();
  expect(String(target.read())).toBe("onetwo\0");
});

it("bytes that make no sense reject", async () => {
  const broken = () => {
    throw new Error("no frame");
  };
  const pump = new BytePump(Readable.from([Buffer.from("x")]), new PassThrough(), { stalledMs: 60_000 });
  await expect(pump.run({ ...untouched, push: broken })).rejects.toThrow("no frame");
});

it("an answer that breaks off breaks off for the client, after what came", async () => {
  const provider = await serve((_request, response) => {
    response.write("half", () => response.destroy());
  });
  const { url } = await pumpFrom(provider, untouched);
  const [answer] = (await once(get(url), "response")) as [IncomingMessage];
  let text = "";
  answer.on("data", (bytes) => {
    text += bytes;
  });
  await expect(once(answer, "end")).rejects.toThrow("aborted");
  expect(text).toBe("half");
});
