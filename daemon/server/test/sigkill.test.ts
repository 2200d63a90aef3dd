import type { Frame } from "@muster/client";
import { checkInvariants, type DaemonApi } from "@muster/conformance";
import type { Body, UniversalEvent } from "@muster/schema";
import { expect, it } from "vitest";
import { DaemonHome, type DaemonProcess, startTimeOf } from "./daemon-process.ts";

const kills = 50;
const sessions = ["one", "two", "three"];
const loads = ["echo hello you there", "burst 400", "tool", "slow 120", "subagent"];

it("fifty kills at random moments lose no event, no acknowledged message and leave no process", async () => {
  const home = await DaemonHome.make();
  const random = generator(20261115);
  const world = new World();
  try {
    let daemon = await home.start();
    for (const sessionId of sessions) {
      // One of them on a shared process, which must not survive its daemon either.
      await daemon.api.post(`/sessions/${sessionId}`, {
        agent: "mock",
        agentOptions: { shared: sessionId === "three" },
      });
    }
    for (let round = 1; round <= kills; round++) {
      const load = world.load(daemon.api, round);
      await pause(random() * 350);
      const dead = await killedWith(home, daemon, load);
      if (round % 5 === 0) await killedWhileStarting(home, random() * 400);
      daemon = await home.start();
      expect(dead.filter(({ pid, started }) => startTimeOf(pid) === started)).toEqual([]);
    }
    for (const sessionId of sessions) {
      await settled(daemon.api, sessionId);
      await world.compare(daemon.api, sessionId);
    }
    expect(world.acknowledged.size).toBeGreaterThan(kills);
    expect(world.seenCount()).toBeGreaterThan(kills * 10);
    for (const sessionId of sessions) await daemon.api.ask("DELETE", `/sessions/${sessionId}`);
    await expect.poll(() => home.agents(), { timeout: 15_000 }).toEqual([]);
  } finally {
    await home.remove();
  }
}, 240_000);

/** What clients have seen and what they were promised, over all daemons. */
class World {
  /** messageId → session. */
  readonly acknowledged = new Map<string, string>();
  readonly #seen = new Map(sessions.map((sessionId) => [sessionId, new Map<number, string>()]));

  /** Readers and writers until the daemon is gone. */
  load(api: DaemonApi, round: number): Promise<unknown> {
    return Promise.all(
      sessions.flatMap((sessionId) => [
        this.#read(api, sessionId).catch(() => {}),
        this.#write(api, sessionId, round).catch(() => {}),
      ]),
    );
  }

  seenCount(): number {
    return [...this.#seen.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async compare(api: DaemonApi, sessionId: string): Promise<void> {
    const log = await api.log(sessionId);
    expect(checkInvariants(log)).toEqual([]);
    const changed = [...(this.#seen.get(sessionId) ?? [])].filter(
      ([sequence, json]) => JSON.stringify(log[sequence - 1]) !== json,
    );
    expect(changed).toEqual([]);
    for (const [messageId, where] of this.acknowledged) {
      if (where === sessionId) expect([messageId, ...turnsOf(log, messageId)]).toHaveLength(2);
    }
    expect(await doneTwice(api, sessionId)).toEqual([]);
  }

  async #read(api: DaemonApi, sessionId: string): Promise<void> {
    const seen = this.#seen.get(sessionId) ?? new Map<number, string>();
    const last = Math.max(0, ...seen.keys());
    const stream: AsyncGenerator<Frame> = await api.stream(`/sessions/${sessionId}/events/sse?offset=${last}`);
    for await (const { id, data } of stream) if (data !== undefined) seen.set(Number(id), data);
  }

  async #write(api: DaemonApi, sessionId: string, round: number): Promise<void> {
    for (let number = 1; number <= 2; number++) {
      const messageId = `${sessionId}-${round}-${number}`;
      const load = loads[(round + number) % loads.length] ?? "";
      // The id in the text tells the agent's own memory which message it was.
      const message = load.startsWith("echo") ? `echo ${messageId}` : load;
      await api.post(`/sessions/${sessionId}/messages`, { message, messageId });
      this.acknowledged.set(messageId, sessionId);
    }
  }
}

/** Kills the daemon and waits for its clients. Returns the agents that were alive then. */
async function killedWith(home: DaemonHome, daemon: DaemonProcess, load: Promise<unknown>) {
  await daemon.kill("SIGKILL");
  const agents = home.agents().map((pid) => ({ pid, started: startTimeOf(pid) }));
  await load;
  return agents.filter(({ started }) => started !== undefined);
}

async function killedWhileStarting(home: DaemonHome, afterMs: number): Promise<void> {
  const started = home.start().then(
    () => true,
    () => false,
  );
  await pause(afterMs);
  await home.kill();
  await started;
}

async function settled(api: DaemonApi, sessionId: string): Promise<void> {
  const isSettled = async () => {
    const { state, queued } = await api.session(sessionId);
    return queued === 0 && (state === "idle" || state === "asleep");
  };
  await expect.poll(isSettled, { timeout: 60_000 }).toBe(true);
}

function turnsOf(log: UniversalEvent[], messageId: string): string[] {
  const starts = log.filter((event): event is UniversalEvent & Body<"turn.started"> => event.type === "turn.started");
  return starts.filter(({ data }) => data.messageIds.includes(messageId)).map(({ data }) => data.turnId);
}

/** What the agent itself remembers to have done more than once. */
async function doneTwice(api: DaemonApi, sessionId: string): Promise<string[]> {
  const stream = await api.stream(`/sessions/${sessionId}/messages/stream?deltas=false`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "history" }),
  });
  let text = "";
  for await (const { data } of stream) if (data?.includes('"role":"assistant"')) text += data;
  const ids = text.match(new RegExp(`echo ${sessionId}-\\d+-\\d+`, "g")) ?? [];
  expect(ids.length).toBeGreaterThan(0);
  const once = new Set<string>();
  return ids.filter((id) => once.has(id) || !once.add(id));
}

/** Numbers between 0 and 1 that are the same at every run: a failure can be repeated. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
