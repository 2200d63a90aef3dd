import type { ToolOutput } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { agent, json, openWorld, runFaults, runPrompt, type WorldOptions } from "./memory-ports.ts";
import { helper } from "./recorded-scenarios.ts";
import type { Act } from "./scripted-model.ts";

const begun = 1_000_000;
const settlesWithin = 200;
const hangs = () => new Promise<ToolOutput>(() => undefined);
const read: Act = { tool: "read_files", args: { paths: ["a"] } };
const spawn: Act = { tool: "spawn_agents", args: { agents: ["a", "b"].map((agent_type) => ({ agent_type })) } };
const parent = agent({ toolNames: ["spawn_agents", "read_files"], spawnableAgents: ["a", "b"] });
const children = [helper("a", { toolNames: ["read_files"] }), helper("b")];

interface Phase {
  readonly options: WorldOptions;
  readonly abortAt: number;
  /** Text that may be in the history: what was shown before the abort. */
  readonly kept?: string;
}

const phases: Readonly<Record<string, Phase>> = {
  "before START": { options: { script: [[{ text: ["x"] }]] }, abortAt: 0 },
  "while START is asked": { options: { script: [[{ text: ["x"] }]], startTakes: 5_000 }, abortAt: 1_000 },
  connecting: { options: { script: [[{ wait: 5_000 }, { text: ["x"] }]] }, abortAt: 1_000 },
  "connecting to a model that ignores the signal": { options: { script: [[{ hang: true }]] }, abortAt: 1_000 },
  "in a silent stream": {
    options: { script: [[{ text: ["one "] }, { wait: 3_000 }, { text: ["two"] }]] },
    abortAt: 1_000,
    kept: "one ",
  },
  "in a stream that ignores the signal": {
    options: { script: [[{ text: ["one "] }, { hang: true }]] },
    abortAt: 1_000,
    kept: "one ",
  },
  "after a call was announced": { options: { script: [[read, { wait: 5_000 }, read]] }, abortAt: 1_000 },
  "while a tool runs": { options: { script: [[read, read]], tools: { read_files: hangs } }, abortAt: 1_000 },
  "while a tool gives its last words": {
    options: {
      script: [[read]],
      tools: {
        read_files: async (_input, { clock, scope }) => {
          await clock.sleep(60_000, scope.signal).catch(() => undefined);
          return json("last words");
        },
      },
    },
    abortAt: 1_000,
    kept: "last words",
  },
  "while two helpers run": {
    options: {
      agents: [parent, ...children],
      script: (_index, { agent: { id } }) =>
        id === "a" ? [read] : id === "b" ? [{ text: ["b"] }, { hang: true }] : [spawn],
      tools: { read_files: hangs },
    },
    abortAt: 1_000,
  },
  "while handleSteps waits for a tool": {
    options: {
      agents: [
        agent({
          handleSteps: function* () {
            yield { toolName: "read_files", input: { paths: ["a"] } };
          },
        }),
      ],
      script: [[{ text: ["x"] }]],
      tools: { read_files: hangs },
    },
    abortAt: 1_000,
  },
  "while tokens are counted": {
    options: { script: [[{ text: ["x"] }]], countTokens: () => new Promise(() => undefined) },
    abortAt: 1_000,
  },
};

test.each(Object.entries(phases))("abort %s", async (_name, { options, abortAt, kept }) => {
  const world = openWorld(options);
  const abort = new AbortController();
  if (abortAt === 0) abort.abort();
  else world.clock.after(abortAt, () => abort.abort());
  const result = await runPrompt(world, {}, abort.signal);
  expect(runFaults(result, world)).toEqual([]);
  expect(world.clock.now() - begun - abortAt).toBeLessThanOrEqual(settlesWithin);
  expect(result.events.at(-1)).toMatchObject({ type: "finish", status: "cancelled" });
  expect(result.last).toMatchObject({ status: "cancelled" });
  const finishes = world.ledger.filter((line) => line.action === "FINISH");
  expect(finishes.every((line) => line.action === "FINISH" && line.status === "cancelled")).toBe(true);
  const started = world.ledger.filter((line) => line.action === "START").length;
  expect(finishes.length).toBeGreaterThanOrEqual(started - (options.startTakes === undefined ? 0 : 1));
  if (kept !== undefined) expect(JSON.stringify(result.history)).toContain(kept);
  expect(JSON.stringify(result.history)).not.toContain("two");
  const said = result.actions.length;
  await new Promise(setImmediate);
  expect(result.actions).toHaveLength(said);
});

test("abort between two steps: the next one does not begin", async () => {
  const world = openWorld({ script: [[read], [{ text: ["never"] }]], tools: { read_files: () => json("ok") } });
  const abort = new AbortController();
  const result = await runPrompt(world, {}, abort.signal, (action) => {
    if (action.type === "response-chunk" && typeof action.chunk === "object" && action.chunk.type === "tool_result") {
      abort.abort();
    }
  });
  expect(world.model.requests).toHaveLength(1);
  expect(runFaults(result, world)).toEqual([]);
  expect(result.last).toMatchObject({ status: "cancelled" });
  expect(result.history.at(-2)).toMatchObject({ role: "tool" });
});

test("the cost spent before the abort is told", async () => {
  const world = openWorld({ script: [[read], [{ hang: true }]], tools: { read_files: () => json("ok") } });
  const abort = new AbortController();
  world.clock.after(1_000, () => abort.abort());
  const result = await runPrompt(world, {}, abort.signal);
  expect(result.events.at(-1)).toMatchObject({ totalCost: 2, totalCostUsd: 0.02, status: "cancelled" });
});

const spent = (millicredits: number): Act => ({
  type: "spent",
  usage: { inputTokens: 10, outputTokens: 1 },
  cost: { millicredits, known: true, estimated: true },
});

test("so is what an answer that did not end had cost so far, a helper's too", async () => {
  const world = openWorld({
    agents: [parent, ...children],
    script: (_index, { agent: { id } }) =>
      id === "a" || id === "b" ? [spent(300), { text: ["x"] }, spent(500), { hang: true }] : [spent(700), spawn],
  });
  const abort = new AbortController();
  world.clock.after(1_000, () => abort.abort());
  const result = await runPrompt(world, {}, abort.signal);
  expect(result.events.at(-1)).toMatchObject({ totalCostUsd: 0.03, costEstimated: true, status: "cancelled" });
  expect(result.events.at(-1)).toMatchObject({ usage: { inputTokens: 120 } });
});

test("an answer that is asked for again has cost something too", async () => {
  const world = openWorld({ script: [[spent(500), { text: ["half"] }, { cut: true }], [{ text: ["whole"] }]] });
  const result = await runPrompt(world);
  expect(result.events.at(-1)).toMatchObject({ totalCostUsd: 0.025, costEstimated: true, status: "completed" });
});
