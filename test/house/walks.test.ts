import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hostileProgram } from "@muster/chaos";
import { type Daemon, startDaemon } from "@muster/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesCalledIn, filesListed, root } from "./walk-files.ts";

const walks: readonly [title: string, most: number][] = [
  ["Down: a message, file by file", 24],
  ["Up: an event, file by file", 25],
];

let data: string;
let daemon: Daemon;
let called: ReadonlySet<string>;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "muster-walks-"));
  daemon = await startDaemon({
    ...{ host: "127.0.0.1", port: 0, noToken: true, corsOrigins: [], allowedHosts: [] },
    ...{ dataDirectory: data, durability: "batch", keepRaw: true, logLevel: "error" },
    install: { sources: { claude: [{ kind: "file", path: hostileProgram }] } },
  });
  await post("/sessions/s1", { agent: "claude", token: "sk-ant-test-000" });
  await turn();
  called = await filesCalledIn(turn);
});
afterAll(async () => {
  await daemon?.close();
  await rm(data, { recursive: true, force: true });
});

it.each(walks)("%s: at most %i files, and a turn goes through every one of them", (title, most) => {
  const files = filesListed(title);
  expect(files.length).toBeGreaterThan(15);
  expect(new Set(files).size).toBe(files.length);
  expect(files.length).toBeLessThanOrEqual(most);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(files.filter((file) => !called.has(pathToFileURL(join(root, file)).href))).toEqual([]);
});

/** One message to the agent that waits, and the stream of its turn read to the end. */
async function turn(): Promise<void> {
  const reading = new AbortController();
  const { body } = await fetch(`${daemon.url}/sessions/s1/events/sse?offset=${await lastSequence()}`, {
    signal: reading.signal,
  });
  await post("/sessions/s1/messages", { message: "go" });
  let seen = "";
  for await (const chunk of body ?? []) {
    seen += Buffer.from(chunk).toString();
    if (seen.includes('"type":"turn.ended"')) break;
  }
  reading.abort();
  expect(seen).toMatch(/^id: \d+\ndata: .*"text":"done"/m);
}

async function lastSequence(): Promise<number> {
  const response = await fetch(`${daemon.url}/sessions/s1`);
  return ((await response.json()) as { lastSequence: number }).lastSequence;
}

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(daemon.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect([path, response.ok]).toEqual([path, true]);
}
