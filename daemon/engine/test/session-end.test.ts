import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Engine } from "../src/engine.ts";
import { Redactor } from "../src/secrets/redaction.ts";
import type { Session } from "../src/session/session.ts";
import { layout } from "../src/store/layout.ts";
import { recordedAdapter } from "./recorded-adapter.ts";
import { SlowDisk } from "./slow-disk.ts";

const slowMs = 300;
const sessionId = "s1";
const picture = { data: Buffer.from("picture").toString("base64"), mime: "text/plain" };

let root: string;
let engine: Engine;
let session: Session;
let agent: ReturnType<typeof recordedAdapter>["line"];
let disk: SlowDisk | undefined;
const errors: unknown[] = [];

beforeEach(async () => {
  errors.length = 0;
  root = await mkdtemp(join(tmpdir(), "muster-session-end-"));
  engine = await Engine.start({
    dataDirectory: root,
    durability: "none",
    keepRaw: true,
    // Everything that has ended is old.
    retainDays: 0,
    defaultDirectory: root,
    env: {},
    home: root,
    redactor: new Redactor([]),
    log: (level, text, fields) => level === "error" && errors.push([text, fields]),
  });
  const { adapter, line } = recordedAdapter("mock", []);
  agent = line;
  Object.assign(engine.agents, { adapter: () => adapter });
  await engine.sessions.create(sessionId, { agent: "mock" });
  session = await engine.sessions.get(sessionId);
  disk = new SlowDisk(layout(root).session(sessionId), slowMs);
});

afterEach(async () => {
  disk?.remove();
  await engine.close();
  await rm(root, { recursive: true, force: true });
});

/** What a session may be about when it is ended; each writes a file of it. */
const moments: Readonly<Record<string, () => unknown>> = {
  "its agent ends by itself": () => agent.end(),
  "its agent is being ended": () => session.terminate(),
  "its settings change": () => session.update({ limits: { turnMs: 1_000 } }),
  "an attachment arrives": () => session.send({ message: "look", attachments: [picture] }),
};

describe.each(Object.entries(moments))("a session is ended while %s", (_, begin) => {
  it.each<[string, () => Promise<void>, boolean]>([
    ["deleted", () => engine.sessions.delete(sessionId), true],
    ["closed", () => session.close(), false],
    ["closed by a stop of the daemon", () => engine.close(), false],
  ])("%s: what it writes is written before, and nothing after", async (_, end, isRemoved) => {
    const begun = Promise.resolve(begin()).catch(() => undefined);
    await disk?.begins();
    await end();
    await expectAtRest(isRemoved);
    await begun;
  });
});

it.each(["its agent ends by itself", "its agent is being ended"])(
  "a session whose days are over is removed while %s: what it writes is written before, and nothing after",
  async (moment) => {
    const begun = Promise.resolve(moments[moment]?.()).catch(() => undefined);
    await disk?.begins();
    // It is looked for once an hour: now it must be over, and older than now.
    await expect.poll(() => isOver(session), { interval: 1 }).toBe(true);
    engine.begin();
    await expect.poll(() => existsSync(layout(root).deletedFile(sessionId)), { timeout: 10_000 }).toBe(true);
    await engine.sessions.delete(sessionId).catch(() => undefined);
    await expectAtRest(true);
    await begun;
  },
);

it("a delete does not wait until an agent obeys an interrupt", async () => {
  await session.send({ message: "slow" });
  await expect.poll(() => session.openTurn).toBeDefined();
  const interrupted = session.interrupt({});
  await engine.sessions.delete(sessionId);
  await interrupted.catch(() => undefined);
  await expectAtRest(true);
});

function isOver(one: Session): boolean {
  const { state, updatedAt } = one.view();
  return state === "ended" && updatedAt < new Date().toISOString();
}

/** Nothing of the session is being written, and nothing is written later on. */
async function expectAtRest(isRemoved: boolean): Promise<void> {
  expect(disk?.writing).toBe(0);
  const folder = layout(root).session(sessionId);
  const list = () => (existsSync(folder) ? readdir(folder, { recursive: true }) : undefined);
  const left = await list();
  if (isRemoved) expect(left).toBeUndefined();
  else expect(left?.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await sleep(slowMs * 2);
  expect(await list()).toEqual(left);
  expect(errors).toEqual([]);
}
