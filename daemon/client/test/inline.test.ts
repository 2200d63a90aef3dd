import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { SandboxDaemon, UniversalEvent } from "../src/index.ts";
import { inline } from "../src/inline/index.ts";
import { type Home, makeHome, spawnIn } from "./client-world.ts";

let home: Home;
let daemon: SandboxDaemon;
beforeEach(async () => {
  home = await makeHome();
  daemon = await start(home);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await daemon.close();
  await home.remove();
});

const start = ({ dataDirectory, env, directory }: Home) =>
  inline({ dataDirectory, env, defaultDirectory: directory, durability: undefined });

it("what is aborted before it begins does nothing", async () => {
  await daemon.client.sessions.create({ sessionId: "s1", agent: "mock" });
  const options = { signal: AbortSignal.abort(new Error("enough")) };
  const events = daemon.client.sessions.streamMessage({ sessionId: "s1", message: "echo hello" }, options);
  await expect(events[Symbol.asyncIterator]().next()).rejects.toThrow("enough");
  expect(await daemon.session("s1").ask("echo after")).toBe("after");
  expect(JSON.stringify(await daemon.client.sessions.getMessages({ sessionId: "s1" }))).not.toContain("hello");
});

it("what a handler throws goes to the reader, and the next reader has the request shown again", async () => {
  const session = daemon.session("s1", { agent: "mock" });
  const remove = session.onQuestion(() => {
    throw new Error("no idea");
  });
  const turn = session.prompt("question");
  await expect(turn.text()).rejects.toThrow("no idea");
  remove();
  session.onQuestion(({ questions }) => ({ answers: questions.map(({ options }) => [options[0]?.label ?? ""]) }));
  expect(await turn.text()).toBe("You answered: Red.");
});

it("what a handler throws when its reader has left is on the console", async () => {
  const told = new Promise<unknown[]>((resolve) => {
    vi.spyOn(console, "error").mockImplementation((...said) => resolve(said));
  });
  const session = daemon.session("s1", { agent: "mock" });
  let fail = () => {};
  const asked = new Promise<void>((resolve) => {
    session.onQuestion(() => {
      resolve();
      return new Promise((_, reject) => {
        fail = () => reject(new Error("no idea"));
      });
    });
  });
  for await (const event of session.prompt("question")) if (event.type === "question.requested") break;
  await asked;
  fail();
  expect(await told).toEqual([expect.stringContaining("s1"), new Error("no idea")]);
});

it("watch tells of a session of which the id is used again", async () => {
  const watching = daemon.watch()[Symbol.asyncIterator]();
  const first = untilEnd(watching);
  await daemon.session("s1", { agent: "mock" }).ask("echo a b c");
  const told = await first;
  await daemon.client.sessions.delete({ sessionId: "s1" });
  const again = untilEnd(watching);
  await daemon.client.sessions.create({ sessionId: "s1", agent: "mock", reuse: true });
  await daemon.session("s1").ask("echo a");
  const types = (await again).map(({ type }) => type);
  expect(types.slice(types.lastIndexOf("session.started"))).toEqual(
    told.map(({ type }) => type).slice(told.findIndex(({ type }) => type === "session.started")),
  );
});

async function untilEnd(events: AsyncIterator<UniversalEvent>): Promise<UniversalEvent[]> {
  const seen: UniversalEvent[] = [];
  while (seen.at(-1)?.type !== "turn.ended") seen.push((await events.next()).value);
  return seen;
}

it("closing ends open streams and a turn at work, and leaves the directory to the next", async () => {
  const session = daemon.session("s1", { agent: "mock" });
  session.onQuestion(() => new Promise(() => {}));
  const events = session.prompt("question")[Symbol.asyncIterator]();
  for (let type = ""; type !== "question.requested"; ) type = (await events.next()).value?.type;
  const rest = (async () => {
    for (;;) if ((await events.next()).done) return;
  })();
  const watching = daemon.watch()[Symbol.asyncIterator]().next();
  const ended = Promise.all([rest, watching].map((one) => expect(one).rejects.toMatchObject({ name: "AbortError" })));
  await daemon.close();
  await ended;
  daemon = await start(home);
  expect(await daemon.session("s1").ask("echo again")).toBe("again");
});

it("two in one process do not meet, and no directory has two", async () => {
  const other = await makeHome();
  const second = await start(other);
  const ask = (one: SandboxDaemon, text: string) => one.session("s1", { agent: "mock" }).ask(`echo ${text}`);
  expect(await Promise.all([ask(daemon, "first"), ask(second, "second")])).toEqual(["first", "second"]);
  const inUse = { name: "DirectoryInUse", message: expect.stringContaining(String(process.pid)) };
  await expect(start(home)).rejects.toMatchObject(inUse);
  await second.close();
  const spawned = await spawnIn(other);
  const taken = { name: "DirectoryInUse", message: expect.stringContaining(String(spawned.pid)) };
  await expect(start(other)).rejects.toMatchObject(taken);
  await spawned.close();
  await other.remove();
  expect(await ask(daemon, "still")).toBe("still");
});
