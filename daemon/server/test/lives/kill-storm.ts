import { setTimeout as delay } from "node:timers/promises";
import { type Row, tell } from "@muster/chaos";
import type { Frame } from "@muster/client";
import { checkInvariants, type DaemonApi } from "@muster/conformance";
import type { Body, UniversalEvent } from "@muster/schema";
import { expect } from "vitest";
import { commandLineOf } from "../agents/agent-home.ts";
import { type DaemonHome, type DaemonProcess, startTimeOf } from "../daemon-process.ts";

export interface Storm {
  home: DaemonHome;
  sessions: readonly string[];
  /** Creates them, once. */
  create(api: DaemonApi): Promise<void>;
  /** After each start: secrets live in memory only. */
  renew?(api: DaemonApi): Promise<unknown>;
  /** What is said in a round; the id of the message is in it, so that the agent's own memory tells it. */
  message(messageId: string, round: number): string;
  /** What is looked at when everything has settled. */
  last(api: DaemonApi, world: World): Promise<void>;
  kills: number;
  row: Pick<Row, "fault" | "part">;
  random: () => number;
  /** How long a round goes on before something is killed, at most. */
  roundMs: number;
}

type Kills = Record<"daemon" | "agent" | "reader", number>;

/**
 * Kills daemon, agents and readers at random moments while clients write and read, then compares what clients have seen
 * and were promised with the log, and tells the row of it. The last daemon runs on.
 */
export async function storm(options: Storm): Promise<{ daemon: DaemonProcess; world: World }> {
  const kills: Kills = { daemon: 0, agent: 0, reader: 0 };
  const world = new World(options);
  let held = false;
  try {
    const daemon = await killAtRandom(options, world, kills);
    for (const sessionId of options.sessions) {
      await settle(daemon.api, sessionId);
      await world.compare(daemon.api, sessionId);
    }
    await options.last(daemon.api, world);
    held = true;
    return { daemon, world };
  } finally {
    const tried = sum(kills);
    const counts = { daemons: kills.daemon, agents: kills.agent, readers: kills.reader, ...world.counts };
    tell({ ...options.row, tried, held: held ? tried : 0, counts });
  }
}

async function killAtRandom(options: Storm, world: World, kills: Kills): Promise<DaemonProcess> {
  const { home, random, roundMs } = options;
  let daemon = await home.start();
  await options.create(daemon.api);
  for (let round = 1; sum(kills) < options.kills; round++) {
    const clients = new AbortController();
    const load = world.load(daemon.api, round, clients.signal);
    // Readers and agents die on the way, the daemon at the end of the round.
    for (let count = Math.floor(random() * 4); count > 0; count--) {
      await delay((random() * roundMs) / 4);
      if (random() < 0.5) kills.reader += world.killReader(random());
      else kills.agent += killAgent(home, random());
    }
    await delay((random() * roundMs) / 4);
    await daemon.kill("SIGKILL");
    kills.daemon++;
    const orphans = home.agents().map((pid) => ({ pid, started: startTimeOf(pid), command: commandLineOf(pid) }));
    clients.abort();
    await load;
    if (round % 5 === 0) kills.daemon += await killWhileStarting(home, random() * 400);
    daemon = await home.start();
    await options.renew?.(daemon.api);
    const alive = orphans.filter(({ pid, started }) => started !== undefined && startTimeOf(pid) === started);
    expect(alive).toEqual([]);
  }
  return daemon;
}

function sum({ daemon, agent, reader }: Kills): number {
  return daemon + agent + reader;
}

/** What clients have seen and what they were promised, over all daemons. */
class World {
  /** messageId → session. */
  readonly acknowledged = new Map<string, string>();
  readonly #storm: Storm;
  readonly #seen: Map<string, Map<number, string>>;
  readonly #readers = new Set<AbortController>();

  constructor(options: Storm) {
    this.#storm = options;
    this.#seen = new Map(options.sessions.map((sessionId) => [sessionId, new Map()]));
  }

  /** Readers and writers until the daemon is gone. */
  load(api: DaemonApi, round: number, over: AbortSignal): Promise<unknown> {
    return Promise.all(
      this.#storm.sessions.flatMap((sessionId) => [
        this.#readAgainAndAgain(api, sessionId, over),
        // A daemon that is killed answers nothing.
        this.#write(api, sessionId, round).catch(() => {}),
      ]),
    );
  }

  /** Cuts one connection where it is; whoever reads there comes back with the last number it has seen. */
  killReader(chance: number): number {
    const readers = [...this.#readers];
    readers[Math.floor(chance * readers.length)]?.abort();
    return readers.length > 0 ? 1 : 0;
  }

  get seenCount(): number {
    return [...this.#seen.values()].reduce((sum, { size }) => sum + size, 0);
  }

  get counts(): Record<string, number> {
    return { "acknowledged messages": this.acknowledged.size, "events seen": this.seenCount };
  }

  async compare(api: DaemonApi, sessionId: string): Promise<void> {
    const log = await api.log(sessionId);
    expect(checkInvariants(log)).toEqual([]);
    const changed = [...(this.#seen.get(sessionId) ?? [])].filter(
      ([sequence, json]) => JSON.stringify(log[sequence - 1]) !== json,
    );
    expect(changed).toEqual([]);
    const own = [...this.acknowledged].filter(([, where]) => where === sessionId);
    const wrong = own.filter(([messageId]) => turnsOf(log, messageId).length + failuresOf(log, messageId) !== 1);
    expect(wrong.map(([messageId]) => log.filter((event) => JSON.stringify(event).includes(messageId)))).toEqual([]);
  }

  async #readAgainAndAgain(api: DaemonApi, sessionId: string, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const reader = new AbortController();
      this.#readers.add(reader);
      // However it ends, it is read on from the last number that was seen.
      await this.#read(api, sessionId, AbortSignal.any([over, reader.signal])).catch(() => delay(5));
      this.#readers.delete(reader);
    }
  }

  async #read(api: DaemonApi, sessionId: string, signal: AbortSignal): Promise<void> {
    const seen = this.#seen.get(sessionId) ?? new Map<number, string>();
    const last = Math.max(0, ...seen.keys());
    const path = `/sessions/${sessionId}/events/sse?offset=${last}`;
    const stream: AsyncGenerator<Frame> = await api.stream(path, { signal });
    for await (const { id, data } of stream) {
      if (data === undefined) continue;
      const sequence = Number(id);
      const before = seen.get(sequence);
      if (before !== undefined && before !== data) throw new Error(`Event ${sequence} is another one now`);
      seen.set(sequence, data);
    }
  }

  async #write(api: DaemonApi, sessionId: string, round: number): Promise<void> {
    for (let number = 1; number <= 2; number++) {
      const messageId = `${sessionId}-${round}-${number}`;
      const message = this.#storm.message(messageId, round + number);
      await api.post(`/sessions/${sessionId}/messages`, { message, messageId });
      this.acknowledged.set(messageId, sessionId);
    }
  }
}

function killAgent(home: DaemonHome, chance: number): number {
  const agents = home.agents();
  const pid = agents[Math.floor(chance * agents.length)];
  if (pid === undefined) return 0;
  try {
    process.kill(pid, "SIGKILL");
    return 1;
  } catch {
    // It died before us.
    return 0;
  }
}

async function killWhileStarting(home: DaemonHome, afterMs: number): Promise<number> {
  const started = home.start().then(
    () => true,
    () => false,
  );
  await delay(afterMs);
  await home.kill();
  await started;
  return 1;
}

async function settle(api: DaemonApi, sessionId: string): Promise<void> {
  const isSettled = async () => {
    const { state, queued } = await api.session(sessionId);
    return queued === 0 && ["idle", "asleep", "ended"].includes(state);
  };
  const settled = expect.poll(isSettled, { timeout: 240_000, interval: 200 }).toBe(true);
  await settled.catch(async () => {
    const told = { session: await api.session(sessionId), events: (await api.log(sessionId)).slice(-20) };
    throw new Error(`The session ${sessionId} does not come to rest: ${JSON.stringify(told, null, 1)}`);
  });
}

function turnsOf(log: UniversalEvent[], messageId: string): string[] {
  const starts = log.filter((event): event is UniversalEvent & Body<"turn.started"> => event.type === "turn.started");
  return starts.filter(({ data }) => data.messageIds.includes(messageId)).map(({ data }) => data.turnId);
}

/** An agent that was killed while it started could not take its message, and the message says so. */
function failuresOf(log: UniversalEvent[], messageId: string): number {
  const isTold = ({ type, data }: UniversalEvent) =>
    type === "message.updated" && data.messageId === messageId && data.status === "failed";
  return log.filter(isTold).length;
}
