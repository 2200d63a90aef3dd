import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupSync } from "@muster/log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Engine } from "./engine.ts";
import { EventLog } from "./event-log/index.ts";
import { Redactor } from "./secrets/redaction.ts";
import { type Layout, layout } from "./store/layout.ts";
import { createSessionFile } from "./store/session-file.ts";

let places: Layout;
beforeEach(async () => {
  places = layout(await mkdtemp(join(tmpdir(), "muster-retain-")));
});
afterEach(() => rm(places.root, { recursive: true, force: true }));

it("removes what ended or was idle for the days; never what waits, is young or cannot be read", async () => {
  await makeSession("ended", 3, [{ type: "session.ended", data: { reason: "terminated", terminatedBy: "client" } }]);
  await makeSession("idle", 3, [{ type: "session.updated", data: { title: "done" } }]);
  await makeSession("untouched", 3, []);
  await makeSession("young", 1, []);
  await makeSession("waits", 3, [
    { type: "message.updated", data: { messageId: "m1", status: "queued", message: "x" } },
  ]);
  await makeSession("broken", 3, []);
  await writeFile(places.sessionFile("broken"), "{");
  const removed: unknown[] = [];
  const options = { dataDirectory: places.root, durability: "none", keepRaw: false, retainDays: 2 } as const;
  const seen = new Promise<void>((resolve) => {
    const log = (_level: string, message: string, fields?: Record<string, unknown>) => {
      if (message !== "removed an old session") return;
      removed.push(fields?.sessionId);
      if (removed.length === 3) resolve();
    };
    const redactor = new Redactor([]);
    const started = Engine.start({ ...options, defaultDirectory: "/", env: {}, home: places.root, redactor, log });
    void started.then(async (engine) => {
      engine.begin();
      await seen;
      await engine.close();
    });
  });
  await seen;
  expect(removed.sort()).toEqual(["ended", "idle", "untouched"]);
  await expect.poll(async () => (await readdir(places.sessions)).sort()).toEqual(["broken", "waits", "young"]);
});

/** As a daemon left it `days` ago; its secret is lost, so nothing that waits can be given. */
async function makeSession(sessionId: string, days: number, bodies: readonly object[]): Promise<void> {
  const then = Date.now() - days * 86_400_000;
  const createdAt = new Date(then).toISOString();
  const settings = { agent: "mock", env: {}, mcp: {}, directory: "/", permissionMode: "default" } as const;
  const file = { format: 1, sessionId, createdAt, settings, digest: "", secretNames: ["token"] } as const;
  await createSessionFile(places.sessionFile(sessionId), { ...file, secretNames: ["token"] });
  const groupSync = new GroupSync();
  const directory = places.session(sessionId);
  const log = await EventLog.open({ directory, sessionId, durability: "none", groupSync, now: () => then });
  log.append(bodies.map((body) => ({ source: "daemon", body: body as never })));
  await log.close();
  await groupSync.close();
}
