import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type BodyLimits, readBody } from "./http-body.ts";

let server: Server;
let limits: BodyLimits;
let ended: Promise<string>;
beforeEach(async () => {
  let end = (_: string) => {};
  ended = new Promise((resolve) => {
    end = resolve;
  });
  server = createServer((request, response) => {
    void readBody(request, limits)
      .then(String, (error: { reason: string }) => error.reason)
      .then((text) => {
        response.end();
        end(text);
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a body piece by piece; the next when the one before is out and `everyMs` has passed. */
function drip(pieces: readonly string[], everyMs: number): void {
  const length = pieces.join("").length;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`);
  const left = [...pieces];
  const timer = setInterval(() => {
    const piece = left.shift();
    if (piece === undefined || socket.destroyed) clearInterval(timer);
    else socket.write(piece);
  }, everyMs);
}

it("a body that drips is given up, however long it goes on", async () => {
  limits = { mostBytes: 10_000, stallMs: 300, leastBytes: 100 };
  drip(Array(5_000).fill("x"), 5);
  expect(await ended).toBe("too_slow");
});

it("a body that comes in time is read whole, also in many pieces", async () => {
  limits = { mostBytes: 10_000, stallMs: 5_000, leastBytes: 100 };
  const pieces = Array.from({ length: 20 }, (_, at) => `${at},`.padStart(60, "."));
  drip(pieces, 1);
  expect(await ended).toBe(pieces.join(""));
});

it("a body that is too large or cut off is told apart", async () => {
  limits = { mostBytes: 10, stallMs: 5_000 };
  drip(["x".repeat(11)], 1);
  expect(await ended).toBe("too_large");
});

it("a body is let go by its request, which may live for minutes until it is answered", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const held = createServer().listen(0, "127.0.0.1");
  await once(held, "listening");
  const socket = connect((held.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n${"x".repeat(100_000)}`);
  const [request] = (await once(held, "request")) as [IncomingMessage];
  const body = await readBody(request, { mostBytes: 1_000_000 }).then((bytes) => new WeakRef(bytes));
  for (let round = 0; round < 20 && body.deref() !== undefined; round++) {
    await new Promise(setImmediate);
    collect();
  }
  expect([request.complete, body.deref()]).toEqual([true, undefined]);
  socket.destroy();
  held.close();
});
