import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DaemonHome, type DaemonProcess } from "../daemon-process.ts";
import { rawRequest } from "../raw-http.ts";

const head = "POST /sessions/slow HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
let home: DaemonHome;
let daemon: DaemonProcess;

beforeAll(async () => {
  home = await DaemonHome.make({ args: ["--no-token", "--log-level", "debug"] });
  daemon = await home.start();
});
afterAll(async () => {
  await home.remove();
});

it.concurrent.each([
  ["headers that do not come to an end", "GET /agents HTTP/1.1\r\nhost: localhost\r\nx: "],
  ["a body that stands still", `${head}content-length: 16\r\n\r\n{"agent":`],
  ["chunks that stand still", `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"age`],
])("%s: 408", async (_, bytes) => {
  const answer = await rawRequest(daemon.api.baseUrl, bytes);
  expect(answer.status).toBe(408);
  expect(answer.head).toContain("application/problem+json");
  expect(JSON.parse(answer.body)).toMatchObject({ code: "request_timeout", status: 408 });
});

it("an upload that is aborted is no error of ours", async () => {
  const { port } = new URL(daemon.api.baseUrl);
  for (let count = 0; count < 20; count++) {
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    socket.write(`${head}content-length: 1000000\r\n\r\n{"agent":"${"x".repeat(count * 1000)}`);
    await daemon.api.get("/health");
    socket.resetAndDestroy();
  }
  await daemon.api.get("/health");
  expect(daemon.stderr).not.toMatch(/"level":"(warn|error)"/);
  expect(daemon.stderr).not.toContain("    at ");
});

it("GET /v1/ is GET /v1", async () => {
  expect(await daemon.api.get("/v1/")).toEqual(await daemon.api.get("/v1"));
});
