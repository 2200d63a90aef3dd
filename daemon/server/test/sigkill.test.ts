import { isLong, random, tell } from "@muster/chaos";
import type { DaemonApi } from "@muster/conformance";
import { expect, it } from "vitest";
import { DaemonHome } from "./daemon-process.ts";
import { storm } from "./kill-storm.ts";

/** MUSTER_CHAOS_KILLS: another number, for a run in parts. */
const kills = Number(process.env.MUSTER_CHAOS_KILLS ?? (isLong ? 800 : 60));
const sessions = ["one", "two", "three"];
const loads = ["echo hello you there", "burst 400", "tool", "slow 120", "subagent"];

it("SIGKILLs of daemon, agents and readers lose no event, no acknowledged message and leave no process", {
  timeout: 1_800_000,
}, async () => {
  const home = await DaemonHome.make();
  try {
    const { daemon, world, ...found } = await storm({
      home,
      sessions,
      kills,
      random: random(),
      roundMs: 600,
      async create(api) {
        for (const sessionId of sessions) {
          // One of them on a shared process, which must not survive its daemon either.
          await api.post(`/sessions/${sessionId}`, { agent: "mock", agentOptions: { shared: sessionId === "three" } });
        }
      },
      message(messageId, round) {
        const load = loads[round % loads.length] ?? "";
        return load.startsWith("echo") ? `echo ${messageId}` : load;
      },
    });
    for (const sessionId of sessions) expect(await doneTwice(daemon.api, sessionId)).toEqual([]);
    expect(world.acknowledged.size).toBeGreaterThan(kills / 4);
    expect(world.seenCount).toBeGreaterThan(kills);
    for (const sessionId of sessions) await daemon.api.ask("DELETE", `/sessions/${sessionId}`);
    await expect.poll(() => home.agents(), { timeout: 15_000 }).toEqual([]);
    const { daemon: daemons, agent: agents, reader: readers } = found.kills;
    const tried = daemons + agents + readers;
    const note = `mock: ${daemons} daemons, ${agents} agents, ${readers} readers; ${world.acknowledged.size} acknowledged messages, ${world.seenCount} events seen`;
    tell({ fault: "SIGKILL at a random moment", tried, held: tried, note });
  } finally {
    await home.remove();
  }
});

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
