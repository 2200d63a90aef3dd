import { text } from "node:stream/consumers";
import { createClient } from "@muster/client";
import type { UniversalEvent } from "@muster/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDaemonProcess, temporaryFolder } from "./daemon-process.ts";
import { startCommand } from "./start-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let daemon: Awaited<ReturnType<typeof startDaemonProcess>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await daemon?.stop();
  await folder.remove();
});
const start = (port: string) =>
  startDaemonProcess(["--port", port, "--no-token", "--data-dir", folder.path, "--log-level", "warn"]);

it("a message that is streamed while the daemon is killed and started again loses and repeats no event", async () => {
  daemon = await start("0");
  const client = createClient({ endpoint: daemon.url });
  await client.sessions.create({ sessionId: "s1", agent: "mock", directory: folder.path });
  const args = ["sessions", "stream-message", "s1", "burst 200000", "--endpoint", daemon.url];
  const { child, exit, err } = startCommand(args);
  const out = text(child.stdout);
  // Before the agent's first sign of life the turn would end `uncertain`.
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.includes('"item.delta"')) resolve();
    });
  });

  daemon.child.kill("SIGKILL");
  await daemon.exit;
  daemon = await start(new URL(daemon.url).port);

  expect([await exit, await err]).toEqual([{ code: 130, signal: null }, ""]);
  const lines = (await out).trimEnd().split("\n");
  const events = lines.map((line): UniversalEvent => JSON.parse(line));
  const first = events[0]?.sequence ?? 0;
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => first + at));
  expect(events.at(-1)).toMatchObject({
    type: "turn.ended",
    data: { status: "interrupted", cause: "daemon_restarted" },
  });
  const kept: UniversalEvent[] = [];
  for (let page = await client.sessions.getEvents({ sessionId: "s1", offset: first - 1, limit: 10_000 }); ; ) {
    kept.push(...page.events);
    if (!page.hasMore || kept.length >= events.length) break;
    page = await client.sessions.getEvents({ sessionId: "s1", offset: kept.at(-1)?.sequence ?? 0, limit: 10_000 });
  }
  expect(kept.slice(0, events.length)).toEqual(events);
});
