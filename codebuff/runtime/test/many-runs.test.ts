import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { agent, json, openWorld, runPrompt } from "./memory-ports.ts";
import { helper } from "./recorded-scenarios.ts";

const text = "some result that is not small\n".repeat(200);

async function run(): Promise<void> {
  const world = openWorld({
    script: (_index, { agent: { id }, messages }) =>
      id === "helper" || messages.some(({ role }) => role === "tool")
        ? [{ text: ["Done."] }]
        : [
            { tool: "read_files", args: { paths: ["a"] } },
            { tool: "spawn_agents", args: { agents: [{ agent_type: "helper" }, { agent_type: "helper" }] } },
          ],
    agents: [agent({ toolNames: ["read_files", "spawn_agents"], spawnableAgents: ["helper"] }), helper("helper")],
    tools: { read_files: () => json(text) },
  });
  const result = await runPrompt(world, {}, shared);
  if (result.last.type !== "prompt-response" || result.last.status !== "completed") throw new Error("a run failed");
}

/** One signal for all runs, as a program that lives long would have it: what a run leaves on it is a leak. */
const shared = new AbortController().signal;

test("1,000 runs leave nothing behind: no handle, no listener, and memory that stays where it was", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  const measure = async (runs: number) => {
    for (let index = 0; index < runs; index++) await run();
    gc();
    return process.memoryUsage();
  };
  await measure(200);
  const handles = process.getActiveResourcesInfo().length;
  // The collector lets its space breathe; a leak shows between the highest of the first and the lowest of the last rounds.
  const rounds = [await measure(250), await measure(250), await measure(250), await measure(250)];
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(handles);
  expect(getEventListeners(shared, "abort")).toHaveLength(0);
  for (const kind of ["heapUsed", "rss"] as const) {
    const [first = 0, second = 0, third = 0, fourth = 0] = rounds.map((round) => round[kind]);
    expect(Math.min(third, fourth) / Math.max(first, second)).toBeLessThan(1.1);
  }
});
