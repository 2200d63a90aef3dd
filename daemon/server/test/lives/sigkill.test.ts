import { isDue, isLong, random, seed } from "@muster/chaos";
import type { DaemonApi } from "@muster/conformance";
import { expect, it } from "vitest";
import { DaemonHome } from "../daemon-process.ts";
import { storm } from "./kill-storm.ts";

const fault = "SIGKILL, mock";
/** MUSTER_TEST_KILLS: fewer, where another form of the daemon is tried. */
const kills = isLong ? 100 : Number(process.env.MUSTER_TEST_KILLS ?? 60);
const parts = Array.from({ length: isLong ? 8 : 1 }, (_, at) => at + 1);
const sessions = ["one", "two", "three"];
const loads = ["echo hello you there", "burst 400", "tool", "slow 120", "subagent"];

it.for(parts)(
  "SIGKILLs of daemon, agents and readers lose no event, no acknowledged message and leave no process: %d",
  {
    timeout: 1_800_000,
  },
  async (part, context) => {
    if (!isDue(fault, part)) return context.skip("held before, or the time is over");
    const home = await DaemonHome.make();
    try {
      const { daemon, world } = await storm({
        home,
        sessions,
        kills,
        row: { fault, part },
        random: random(seed + part),
        roundMs: 600,
        async create(api) {
          for (const sessionId of sessions) {
            // One of them on a shared process, which must not survive its daemon either.
            await api.post(`/sessions/${sessionId}`, {
              agent: "mock",
              agentOptions: { shared: sessionId === "three" },
            });
          }
        },
        message(messageId, round) {
          const load = loads[round % loads.length] ?? "";
          return load.startsWith("echo") ? `echo ${messageId}` : load;
        },
        async last(api) {
          for (const sessionId of sessions) expect(await doneTwice(api, sessionId)).toEqual([]);
          for (const sessionId of sessions) await api.ask("DELETE", `/sessions/${sessionId}`);
          await expect.poll(() => home.agents(), { timeout: 15_000 }).toEqual([]);
        },
      });
      expect(world.acknowledged.size).toBeGreaterThan(kills / 4);
      expect(world.seenCount).toBeGreaterThan(kills);
      expect(daemon.stderr).not.toMatch(/Unhandled|uncaught/i);
    } finally {
      await home.remove();
    }
  },
);

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
