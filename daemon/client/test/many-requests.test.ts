import type { PermissionRequested, UniversalEvent } from "@muster/schema";
import { afterEach, expect, it } from "vitest";
import { SandboxDaemon } from "../src/index.ts";
import { eventsThenOpen, json, startScriptedServer } from "./scripted-server.ts";

let server: Awaited<ReturnType<typeof startScriptedServer>>;
afterEach(() => server?.close());

const asked = (number: number): PermissionRequested => ({
  permissionId: `permission_${number}`,
  action: "execute",
  title: "ls",
  alwaysScope: [],
});
const event = (sequence: number): UniversalEvent => ({
  ...{ sequence, time: "2026-11-15T19:35:00.123Z", sessionId: "s1", source: "agent" },
  ...{ type: "permission.requested", data: asked(sequence) },
});

it("requests that come together are shown by few lists of what waits, and one that no longer waits is not shown", async () => {
  const numbers = Array.from({ length: 300 }, (_, n) => n + 1);
  const waiting = numbers.filter((number) => number !== 7).map(asked);
  server = await startScriptedServer((response, request) => {
    const isStream = request.url.includes("/events/sse");
    const answer = isStream
      ? eventsThenOpen(...numbers.map(event))
      : json(200, { permissions: waiting, questions: [] });
    answer(response, request);
  });
  const session = SandboxDaemon.connect({ endpoint: server.endpoint }).session("s1");
  const shown: string[] = [];
  const all = new Promise<void>((resolve) => {
    session.onPermission(({ permissionId }) => {
      shown.push(permissionId);
      if (shown.length === waiting.length) resolve();
      return undefined;
    });
  });
  const leaving = new AbortController();
  const reading = (async () => {
    for await (const _ of session.events({ signal: leaving.signal }));
  })();
  await all;
  leaving.abort();
  await reading.catch(() => {});
  expect(shown).toEqual(waiting.map(({ permissionId }) => permissionId));
  expect(server.requests.filter(({ url }) => url.endsWith("/requests")).length).toBeLessThan(20);
});
