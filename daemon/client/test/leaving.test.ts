import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { SandboxDaemon } from "../src/index.ts";
import { delta, eventsThenOpen, json, problem, startScriptedServer } from "./scripted-server.ts";

let server: Awaited<ReturnType<typeof startScriptedServer>>;
afterEach(() => server?.close());

const reconnect = { attempts: 3, firstDelayMs: 1, maxDelayMs: 5 };
const connect = () => SandboxDaemon.connect({ endpoint: server.endpoint, reconnect });
const silence = () => {};
const sent = json(202, { messageId: "m1", status: "given", sequence: 1 });

it.each([
  ["the events of a session", (daemon: SandboxDaemon) => daemon.session("s1").events()],
  ["all sessions", (daemon: SandboxDaemon) => daemon.watch()],
])("who waits for the next of %s can leave, and the connection is closed", async (_, read) => {
  let closed: Promise<unknown> = Promise.resolve();
  server = await startScriptedServer((response, request) => {
    closed = new Promise((resolve) => response.once("close", resolve));
    eventsThenOpen(delta(1))(response, request);
  });
  const events = read(connect())[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { sequence: 1 } });
  const waiting = events.next();
  expect(await events.return?.()).toMatchObject({ done: true });
  expect(await waiting).toMatchObject({ done: true });
  await closed;
});

it("who waits for the next event of a turn, or for its message to be sent, can leave", async () => {
  server = await startScriptedServer(sent, eventsThenOpen(delta(1)), silence);
  const session = connect().session("s1");
  const events = session.prompt("hello")[Symbol.asyncIterator]();
  expect(await events.next()).toMatchObject({ value: { sequence: 1 } });
  const waiting = events.next();
  expect(await events.return(undefined)).toMatchObject({ done: true });
  expect(await waiting).toMatchObject({ done: true });
  const unsent = session.prompt("hello")[Symbol.asyncIterator]();
  const first = unsent.next();
  await unsent.return(undefined);
  expect(await first).toMatchObject({ done: true });
});

it("an abort ends the reading at once, also in the middle of what came together", async () => {
  server = await startScriptedServer(eventsThenOpen(delta(1), delta(2), delta(3)));
  const leaving = new AbortController();
  const seen: number[] = [];
  const reading = async () => {
    for await (const { sequence } of connect().session("s1").events({ signal: leaving.signal })) {
      seen.push(sequence);
      leaving.abort(new Error("enough"));
    }
  };
  await expect(reading()).rejects.toThrow("enough");
  expect(seen).toEqual([1]);
});

it("an abort of who creates the session is not the abort of who waits for it", async () => {
  server = await startScriptedServer(silence, json(201, {}), eventsThenOpen(delta(1)));
  const session = connect().session("s1", { agent: "mock" });
  const leaving = new AbortController();
  const asked = session.ask("hello", { signal: leaving.signal });
  const told = expect(asked).rejects.toThrow("enough");
  while (server.requests.length === 0) await pause(5);
  const first = session.events()[Symbol.asyncIterator]().next();
  const impatient = session.events({ signal: AbortSignal.timeout(20) })[Symbol.asyncIterator]();
  await expect(impatient.next()).rejects.toMatchObject({ name: "TimeoutError" });
  leaving.abort(new Error("enough"));
  await told;
  expect(await first).toMatchObject({ value: { sequence: 1 } });
});

it("a message that is aborted while it waits for another ends, and the next does not overtake", async () => {
  let answer = () => {};
  server = await startScriptedServer(
    (response, request) => {
      answer = () => sent(response, request);
    },
    problem(409, "session_busy", "busy"),
  );
  const session = connect().session("s1");
  const first = session.queue("first");
  const leaving = new AbortController();
  const second = session.queue("second", { signal: leaving.signal });
  const third = session.queue("third");
  await expect.poll(() => server.requests.length).toBe(1);
  leaving.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  expect(server.requests.map(({ body }) => JSON.parse(body).message)).toEqual(["first"]);
  answer();
  expect(await first).toMatchObject({ messageId: "m1" });
  await expect(third).rejects.toMatchObject({ code: "session_busy" });
  expect(server.requests.map(({ body }) => JSON.parse(body).message)).toEqual(["first", "third"]);
});
