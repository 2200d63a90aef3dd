import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { cutAnywhere, hostileBytes, isLong, random, tell } from "@muster/chaos";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readBody } from "./http-body.ts";

const inputs = isLong ? 1_000_000 : 2_000;
const mostBytes = 4096;
let server: Server;
let longest = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    readBody(request, { mostBytes, stallMs: 60_000 }).then(
      (bytes) => {
        longest = Math.max(longest, bytes.length);
        response.end(String(bytes.length));
      },
      () => response.writeHead(400).end(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const words = ["0\r\n\r\n", "5\r\nhello\r\n", "ffffffff\r\n", "-1\r\n", "5;x=y\r\n", "0\r\nx: y\r\n\r\n", "1000\r\n"];

it("chunked bodies of any kind are read, refused or hung up on, and the next client is served", {
  timeout: 3_600_000,
}, async () => {
  const next = random();
  for (let n = 0; n < inputs; n++) {
    const answer = await send(cutAnywhere(hostileBytes(next, { words, pieces: 8 }), () => 0.9 + next() / 10));
    if (!/^(HTTP\/1\.1 (200|400|413) [\s\S]*)?$/.test(answer)) expect.fail(`input ${n}: ${answer}`);
  }
  expect(longest).toBeLessThanOrEqual(mostBytes);
  const whole = await send([Buffer.from("5\r\nhello\r\n0\r\n\r\n")]);
  expect(whole.endsWith("5")).toBe(true);
  tell({ fault: "chunked bodies", tried: inputs, held: inputs });
});

/** All that comes back until the connection ends; we end our half, so that nobody waits for more. */
async function send(slices: readonly Buffer[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk;
  });
  // Hung up on while it still sends: that is an answer too.
  socket.on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n");
  for (const slice of slices) socket.write(slice);
  socket.end();
  await once(socket, "close");
  return answer;
}
