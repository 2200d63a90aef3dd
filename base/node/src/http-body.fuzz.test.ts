import { createServer } from "node:http";
import { Duplex } from "node:stream";
import { cutAnywhere, hostileBytes, InputWatch, isLong, random } from "@muster/chaos";
import { expect, it } from "vitest";
import { readBody } from "./http-body.ts";

const inputs = isLong ? 1_000_000 : 2_000;
const mostBytes = 4096;
let longest = 0;
/** Node's own server, given connections that need no port: a million sockets would take an hour of the kernel's time. */
const server = createServer((request, response) => {
  readBody(request, { mostBytes, stallMs: 60_000 }).then(
    (bytes) => {
      longest = Math.max(longest, bytes.length);
      response.end(String(bytes.length));
    },
    () => response.writeHead(400).end(),
  );
});

const words = ["0\r\n\r\n", "5\r\nhello\r\n", "ffffffff\r\n", "-1\r\n", "5;x=y\r\n", "0\r\nx: y\r\n\r\n", "1000\r\n"];

it("chunked bodies of any kind are read, refused or hung up on, and the next client is served", {
  timeout: 3_600_000 * 3,
}, async () => {
  const next = random();
  const watch = new InputWatch("chunked bodies");
  for (let n = 0; n < inputs; n++) {
    const bytes = hostileBytes(next, { words, pieces: 8 });
    const begun = performance.now();
    const answer = await send(cutAnywhere(bytes, () => 0.9 + next() / 10));
    watch.read(performance.now() - begun, () => bytes.toString("hex"));
    if (!/^(HTTP\/1\.1 (200|400|413) [\s\S]*)?$/.test(answer)) expect.fail(`input ${n}: ${answer}`);
  }
  expect(longest).toBeLessThanOrEqual(mostBytes);
  const whole = await send([Buffer.from("5\r\nhello\r\n0\r\n\r\n")]);
  expect(whole.endsWith("5")).toBe(true);
  watch.tell();
});

/** All that comes back until the connection ends; we end our half, so that nobody waits for more. */
async function send(slices: readonly Buffer[]): Promise<string> {
  const connection = new Connection();
  const closed = new Promise((resolve) => connection.once("close", resolve));
  server.emit("connection", connection);
  connection.push("POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n");
  for (const slice of slices) connection.push(slice);
  // Over a network the end comes later than the bytes.
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  connection.push(null);
  await closed;
  return connection.answer;
}

class Connection extends Duplex {
  answer = "";

  constructor() {
    super();
    // Hung up on while it still sends: that is an answer too.
    this.on("error", () => {});
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.answer += chunk;
    done();
  }
}
