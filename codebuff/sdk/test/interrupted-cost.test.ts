import { expect, it } from "vitest";
import { call, runWorld } from "./run-world.ts";

const slowly = { chars: 100, delayMs: 20 };
const long = "A sentence of words. ".repeat(2000);

it("a run that is interrupted while the model writes costs its input as told, and its output by its length", async () => {
  const usage = { input: 50_000, cachedInput: 40_000, output: 9 };
  const world = await runWorld([{ text: long, usage, pace: slowly }]);
  const aborter = new AbortController();
  let characters = 0;
  await world.run({
    signal: aborter.signal,
    handleStreamChunk: (chunk) => {
      characters += typeof chunk === "string" ? chunk.length : 0;
      if (characters >= 2000) aborter.abort();
    },
  });
  const finish = world.events.at(-1);
  // Claude Haiku 4.5: 1, 0.1 and 5 dollars per million tokens of fresh input, cached input and output.
  const input = 0.01 + 0.004;
  const output = ((characters / 4) * 5) / 1e6;
  expect(finish).toMatchObject({ type: "finish", status: "cancelled", costEstimated: true });
  expect(finish).toMatchObject({ usage: { inputTokens: 50_000, cachedInputTokens: 40_000 } });
  expect(Math.abs(Number(finish?.totalCostUsd) - input - output)).toBeLessThan(0.0005);
});

it("a service that tells nothing before its end is counted by length", async () => {
  const world = await runWorld([{ text: long, pace: slowly }], {
    options: { processEnv: { PATH: process.env.PATH } },
  });
  const aborter = new AbortController();
  await world.run({
    processEnv: { PATH: process.env.PATH, OPENROUTER_API_KEY: "sk-or-fake", OPENROUTER_BASE_URL: world.llm.url },
    signal: aborter.signal,
    handleStreamChunk: () => aborter.abort(),
  });
  const finish = world.events.at(-1);
  expect(finish).toMatchObject({ type: "finish", status: "cancelled", costEstimated: true });
  expect(Number(finish?.totalCostUsd)).toBeGreaterThan(0);
});

it("what an interrupted answer cost counts for the budget, and a whole answer is never estimated", async () => {
  const usage = { input: 1_000_000, output: 10 };
  const world = await runWorld([
    { tools: [call("list_directory", { path: "." })], usage: { input: 1000, output: 10 } },
    { text: long, usage, fault: { kind: "drop", atByte: 3000 } },
    { text: "never asked for" },
  ]);
  await world.run({ budgetUsd: 0.5 });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "failed", costEstimated: true });
  expect(world.events).toContainEqual(expect.objectContaining({ type: "error", code: "budget_exceeded" }));
  expect(world.llm.requests()).toHaveLength(2);
});
