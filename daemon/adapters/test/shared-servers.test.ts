import { readdirSync } from "node:fs";
import { readProcessTable } from "@muster/node";
import { expect, test } from "vitest";
import { mock } from "../src/mock/index.ts";
import { SharedServers } from "../src/shared-server/shared-servers.ts";
import { makeHost, openOptions, type TestHost } from "./host.ts";
import { Listener, openMock, texts } from "./listener.ts";
import { hasDied } from "./processes.ts";

const shared = { agentOptions: { shared: true } };
const lives = (host: TestHost) => readdirSync(host.livesDirectory);

async function pidOf(life: Listener): Promise<number> {
  const marker = /MUSTER_LIFE=(\w+)/.exec(texts(await life.turn("env MUSTER_LIFE"))[0] ?? "")?.[1];
  for (const entry of (await readProcessTable()).values())
    if (entry.variable("MUSTER_LIFE") === marker) return entry.pid;
  return expect.fail("no process has the marker");
}

test("many sessions share one process, each with its own conversation", async () => {
  const host = makeHost();
  const sessions = await Promise.all(
    Array.from({ length: 20 }, (_, index) => openMock(host, { ...shared, sessionId: `s${index}` })),
  );
  expect(lives(host)).toHaveLength(1);
  expect(host.servers.status("mock")).toEqual({ processes: 1, sessions: 20 });
  expect((await mock.info(host)).serverStatus).toEqual({ processes: 1, sessions: 20 });
  const answers = await Promise.all(sessions.map((life, index) => life.turn(`echo I am ${index}`)));
  expect(answers.map((signals) => texts(signals))).toEqual(sessions.map((_, index) => [`I am ${index}`]));
  expect(new Set(sessions.map(({ session }) => session.nativeSessionId)).size).toBe(20);

  await Promise.all(sessions.map(({ session }) => session.close()));
  const exits = await Promise.all(sessions.map((life) => life.exit()));
  expect(exits.every(({ exitCode, expected }) => exitCode === 0 && expected)).toBe(true);
  expect(lives(host)).toEqual([]);
  expect(host.servers.status("mock")).toEqual({ processes: 0, sessions: 0 });
});

test("a session that is not read blocks nobody and loses nothing", async () => {
  const host = makeHost();
  const stalled = await mock.open(host, openOptions(host, { ...shared, sessionId: "stalled" }));
  const other = await openMock(host, { ...shared, sessionId: "other" });
  await stalled.send({ type: "message", messageId: "m1", text: "burst 100000 100", attachments: [] });
  for (let count = 0; count < 20; count++) expect(texts(await other.turn(`echo ${count}`))).toEqual([`${count}`]);
  const late = new Listener(stalled);
  await late.next("turn.finished");
  expect(late.signals.filter(({ type }) => type === "item.delta")).toHaveLength(100_000);
  await stalled.close();
});

test("the death of the server is the exit of every session on it", async () => {
  const host = makeHost();
  const sessions = [await openMock(host, shared), await openMock(host, shared), await openMock(host, shared)] as const;
  process.kill(await pidOf(sessions[0]), "SIGKILL");
  for (const life of sessions) {
    expect(await life.exit()).toMatchObject({ exitCode: null, signal: "SIGKILL", expected: false });
    await expect(life.say("echo x")).rejects.toThrow();
  }
  expect(lives(host)).toEqual([]);
  const next = await openMock(host, shared);
  expect(texts(await next.turn("echo alive"))).toEqual(["alive"]);
});

test("a crash in one session tells all of them its code and stderr", async () => {
  const host = makeHost();
  const [one, other] = [await openMock(host, shared), await openMock(host, shared)];
  await one.say("crash 3");
  for (const life of [one, other]) {
    expect(await life.exit()).toMatchObject({ exitCode: 3, stderr: { head: "mock agent: crashing as told\n" } });
  }
});

test("an agent that ends one session ends only that one", async () => {
  const host = makeHost();
  const [one, other] = [await openMock(host, shared), await openMock(host, shared)];
  await one.turn("end");
  expect(await one.exit()).toMatchObject({ exitCode: 0, expected: false });
  expect(texts(await other.turn("echo still here"))).toEqual(["still here"]);
  expect(host.servers.status("mock")).toEqual({ processes: 1, sessions: 1 });
});

test("different secrets and different environments never share a process", async () => {
  const host = makeHost();
  const pids = new Set<number>();
  for (const options of [{}, { token: "one" }, { token: "two" }, { env: { A: "1" } }, { env: { A: "2" } }, {}]) {
    pids.add(await pidOf(await openMock(host, { ...shared, ...options })));
  }
  expect(pids.size).toBe(5);
});

test("a session that does not obey is left behind, and the others go on", async () => {
  const host = makeHost();
  const [hanging, other] = [await openMock(host, shared), await openMock(host, shared)];
  await hanging.say("hang");
  await hanging.arrival();
  await hanging.session.close({ graceMs: 200 });
  expect((await hanging.exit()).expected).toBe(true);
  expect(texts(await other.turn("echo fine"))).toEqual(["fine"]);
});

test("a server lingers for the next session, and ends with the pool", async () => {
  const host = makeHost({ lingerMs: 60_000 });
  const first = await openMock(host, shared);
  const pid = await pidOf(first);
  await first.session.close();
  const second = await openMock(host, shared);
  expect(await pidOf(second)).toBe(pid);
  await second.session.close();
  expect(lives(host)).toHaveLength(1);
  await host.servers.close();
  await hasDied(pid);
  expect(lives(host)).toEqual([]);
  await expect(mock.open(host, openOptions(host, shared))).rejects.toThrow("closed");
});

test("a server that lingered long enough ends by itself", async () => {
  const host = makeHost({ lingerMs: 20 });
  const life = await openMock(host, shared);
  const pid = await pidOf(life);
  await life.session.close();
  await hasDied(pid);
  await expect.poll(() => lives(host)).toEqual([]);
});

test("a successor starts only when its predecessor is dead", async () => {
  const servers = new SharedServers({ lingerMs: 0 });
  const order: string[] = [];
  const identity = { agent: "test", version: "1", home: "/", env: {} };
  const start = (name: string) => async () => {
    order.push(`start ${name}`);
    let exited = () => {};
    return {
      exited: new Promise<void>((resolve) => {
        exited = resolve;
      }),
      end: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push(`end ${name}`);
        exited();
      },
    };
  };
  const first = await servers.lease(identity, start("one"));
  const released = first.release();
  const second = await servers.lease({ env: {}, home: "/", version: "1", agent: "test" }, start("two"));
  await Promise.all([released, first.release(), second.release()]);
  expect(order).toEqual(["start one", "end one", "start two", "end two"]);
});

test("a start that fails is told to everybody who waits for it, and tried again", async () => {
  const servers = new SharedServers();
  const identity = { agent: "test", version: "1", home: "/", env: {} };
  let starts = 0;
  const start = async () => {
    starts++;
    throw new Error("no such program");
  };
  const both = await Promise.allSettled([servers.lease(identity, start), servers.lease(identity, start)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(starts).toBe(1);
  await expect(servers.lease(identity, start)).rejects.toThrow("no such program");
  expect(starts).toBe(2);
  expect(servers.status("test")).toEqual({ processes: 0, sessions: 0 });
});
