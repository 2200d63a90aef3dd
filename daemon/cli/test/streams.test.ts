import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answerJson, startRecordingServer } from "./recording-server.ts";
import { linesOf, runCommand, startCommand, unbundled } from "./start-command.ts";

let server: Awaited<ReturnType<typeof startRecordingServer>>;
afterEach(() => server?.close());

const event = (sequence: number) => ({
  sequence,
  time: "2026-11-15T19:35:00.123Z",
  sessionId: "s1",
  source: "agent",
  type: "item.delta",
  data: { itemId: "i1", index: 0, part: "text", delta: "x".repeat(1000) },
});
const frame = (sequence: number) => `id: ${sequence}\ndata: ${JSON.stringify(event(sequence))}\n\n`;

/** Sends `count` events and stays open. */
const startStream = (count: number) =>
  startRecordingServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let sequence = 1; sequence <= count; sequence++) response.write(frame(sequence));
  });

describe("a stream command", () => {
  it("writes one event per line as it arrives, as JSON or as text", async () => {
    server = await startStream(3);
    const json = startCommand(["sessions", "stream-events", "s1", "--endpoint", server.endpoint]);
    expect(await linesOf(json.child.stdout, 3)).toEqual([1, 2, 3].map((sequence) => JSON.stringify(event(sequence))));
    const text = startCommand(["events", "stream", "--format", "text", "--endpoint", server.endpoint]);
    expect((await linesOf(text.child.stdout, 3))[2]).toMatch(/^3 19:35:00.123 s1 item.delta i1 text "x+"$/);
    for (const { child, exit } of [json, text]) {
      child.kill("SIGINT");
      expect(await exit).toEqual({ code: 0, signal: null });
    }
  });

  it("ends with 130 when a message is interrupted before the end of its turn", async () => {
    server = await startStream(1);
    const { child, exit, err } = startCommand([
      "sessions",
      "stream-message",
      "s1",
      "hi",
      "--endpoint",
      server.endpoint,
    ]);
    await linesOf(child.stdout, 1);
    child.kill("SIGINT");
    expect([await exit, await err]).toEqual([{ code: 130, signal: null }, ""]);
  });

  it("ends quietly with 0 when its reader leaves in the middle", async () => {
    server = await startStream(5_000);
    const { child, exit, err } = startCommand(["sessions", "stream-events", "s1", "--endpoint", server.endpoint]);
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect([await exit, await err]).toEqual([{ code: 0, signal: null }, ""]);
  });
});

it("a client command loads neither the server nor its framework", async () => {
  server = await startRecordingServer(answerJson(200, { status: "ok" }));
  const folder = await mkdtemp(join(tmpdir(), "muster-trace-"));
  try {
    const traced = { NODE_V8_COVERAGE: folder };
    const { code, out } = await runCommand(["health", "--endpoint", server.endpoint], traced, unbundled);
    expect([code, out]).toEqual([0, '{"status":"ok"}\n']);
    const [trace = ""] = await readdir(folder);
    const { result } = JSON.parse(await readFile(join(folder, trace), "utf8")) as { result: { url: string }[] };
    const loaded = result.map(({ url }) => url);
    expect(loaded.some((url) => url.includes("/commander/"))).toBe(true);
    expect(
      loaded.filter((url) => /\/daemon\/(server|engine|adapters)\/|\/hono\/|\/@hono\/|opentelemetry/.test(url)),
    ).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
