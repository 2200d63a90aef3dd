import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { isLong, tell } from "@muster/chaos";
import { Conversation } from "@muster/conformance";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { rawRequest } from "../raw-http.ts";

const megabyte = 1024 * 1024;
const host = "Host: 127.0.0.1\r\n";
let home: DaemonHome;
let daemon: DaemonProcess;
const sockets: Socket[] = [];
beforeEach(async () => {
  home = await DaemonHome.make();
  daemon = await home.start();
  await daemon.api.post("/sessions/s", { agent: "mock" });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  expect(daemon.stderr).not.toMatch(/Unhandled|uncaught/i);
  await home.remove();
});

it("HEAD on a stream has an end", async () => {
  for (const path of ["/sessions/s/events/sse", "/events/sse", "/events/sse?sessions=s"]) {
    const { status, head, body } = await rawRequest(
      daemon.api.baseUrl,
      `HEAD ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    );
    expect([path, status, body]).toEqual([path, 200, ""]);
    expect(head).toContain("content-type: text/event-stream");
  }
});

it("an Idempotency-Key names one message of one session, and nothing that is no name", async () => {
  await daemon.api.post("/sessions/other", { agent: "mock" });
  const body = '{"message":"echo once"}';
  const send = (keys: string, session = "s", text = body) =>
    rawRequest(
      daemon.api.baseUrl,
      `POST /sessions/${session}/messages HTTP/1.1\r\n${host}Content-Type: application/json\r\nConnection: close\r\n${keys}Content-Length: ${text.length}\r\n\r\n${text}`,
    );
  const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
  for (const key of ["", "a b", "a\tb", "\u00e9", "k".repeat(129), "k".repeat(10_000)]) {
    expect([key.slice(0, 9), await statusOf(`Idempotency-Key: ${key}\r\n`)]).toEqual([key.slice(0, 9), 400]);
  }
  expect(await statusOf("Idempotency-Key: a\u0001b\r\n")).toBe(400);
  expect(await statusOf(`Idempotency-Key: ${"k".repeat(20_000)}\r\n`)).toBe(431);
  expect(await statusOf("Idempotency-Key: one\r\nIdempotency-Key: two\r\n")).toBe(400);
  const key = "Idempotency-Key: same\r\n";
  const first = await send(key);
  expect([first.status, (await send(key)).body]).toEqual([202, first.body]);
  expect(await statusOf(key, "s", '{"message":"echo other"}')).toBe(409);
  expect(await statusOf(key, "other")).toBe(202);
  expect(await statusOf(key, "s", '{"message":"echo once","messageId":"another"}')).toBe(400);
  const log = await daemon.api.log("s");
  expect(log.filter(({ type, data }) => type === "message.updated" && data.status === "queued")).toHaveLength(1);
});

it("many Idempotency-Keys cost what their messages cost", async () => {
  const count = isLong ? 100_000 : 3_000;
  const before = daemon.peakMemory();
  let next = 0;
  const send = async () => {
    for (let number = next++; number < count; number = next++) {
      const headers = { "content-type": "application/json", "idempotency-key": `key-${number}` };
      const sent = { method: "POST", headers, body: '{"message":"echo x"}' };
      const answer = await fetch(`${daemon.api.baseUrl}/sessions/s/messages`, sent);
      await answer.arrayBuffer();
      expect(answer.status).toBe(202);
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
  const each = (daemon.peakMemory() - before) / count;
  expect(each).toBeLessThan(64 * 1024);
  if (isLong)
    tell({
      fault: "different Idempotency-Keys",
      tried: count,
      held: count,
      note: `${Math.round(each / 1024)} KB each`,
    });
}, 600_000);

it("a body in pieces of one byte costs what its bytes cost", async () => {
  const megabytes = isLong ? 16 : 2;
  const before = daemon.peakMemory();
  const socket = open(
    `POST /sessions/s/messages HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const answer = once(socket, "data");
  const piece = Buffer.from("1\r\n \r\n".repeat(megabyte / 16));
  for (let count = 0; count < megabytes * 16; count++) if (!socket.write(piece)) await once(socket, "drain");
  socket.write("0\r\n\r\n");
  expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 400 /);
  // A list of the pieces took 250 bytes for each of them.
  expect(daemon.peakMemory() - before).toBeLessThan(160 * megabyte);
});

it("requests in one breath are answered one after the other", async () => {
  const count = 2_000;
  const socket = open(`GET /sessions/s HTTP/1.1\r\n${host}\r\n`.repeat(count));
  let [answers, rest] = [0, ""];
  for await (const chunk of socket.setEncoding("latin1")) {
    rest += chunk as string;
    const parts = rest.split("HTTP/1.1 200 OK");
    answers += parts.length - 1;
    rest = parts.at(-1) ?? "";
    if (answers === count) break;
  }
  expect(answers).toBe(count);
});

it("who watches all sessions and does not read is cut off before it costs much", async () => {
  const socket = open(`GET /events/sse HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  await once(socket, "readable");
  // Beside what the kernel keeps at both ends of a connection, the daemon may hold its limit twice: what is being
  // written, and what has come since.
  const kept = mostKept("tcp_rmem") + mostKept("tcp_wmem");
  const message = "x".repeat(800_000);
  const messages = Math.ceil((kept + 40 * megabyte) / message.length);
  for (let count = 0; count < messages; count++) await daemon.api.post("/sessions/s/messages", { message });
  const ended = once(socket, "end");
  socket.resume();
  await ended;
});

it("readers of the past that do not read cost little each", async () => {
  const readers = isLong ? 3_000 : 300;
  const talk = new Conversation(daemon.api, "s");
  await talk.say("burst 60000");
  await talk.leave();
  const before = daemon.peakMemory();
  for (let count = 0; count < readers; count++) {
    const socket = open(`GET /sessions/s/events/sse HTTP/1.1\r\n${host}\r\n`);
    await once(socket, "readable");
  }
  const each = (daemon.peakMemory() - before) / readers;
  const note = `${Math.round(each / 1024)} KB each`;
  tell({ fault: "paused readers of a long past", tried: readers, held: readers, note });
  expect(each).toBeLessThan(400 * 1024);
  expect(await daemon.api.get("/health")).toEqual({ status: "ok" });
});

it("an attachment that is a pipe is refused, one of 10 GB is told by its path", async () => {
  const [pipe, huge] = [join(home.path, "pipe"), join(home.path, "huge.txt")];
  execFileSync("mkfifo", [pipe]);
  await writeFile(huge, "");
  await truncate(huge, 10 * 1024 * megabyte);
  const send = (path: string) =>
    daemon.api.request("POST", "/sessions/s/messages", {
      message: "echo",
      attachments: [{ path, mime: "text/plain" }],
    });
  expect((await send(pipe)).status).toBe(400);
  expect((await send(huge)).status).toBe(202);
  expect(daemon.peakMemory()).toBeLessThan(300 * megabyte);
});

/** The most bytes that the kernel keeps in one such buffer. */
function mostKept(name: "tcp_rmem" | "tcp_wmem"): number {
  return Number(readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim().split(/\s+/).at(-1));
}

/** A connection that is not read until somebody asks for it. */
function open(text: string): Socket {
  const { hostname, port } = new URL(daemon.api.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(text);
  sockets.push(socket);
  return socket;
}
