import type { HandleSteps, PrintModeEvent } from "@muster/codebuff-protocol";
import { AgentDefinition } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import { type FoundAgent, startLocalSteps } from "../src/index.ts";
import { agent, json, openWorld, runFaults, runPrompt, type WorldOptions } from "./memory-ports.ts";
import type { Act } from "./scripted-model.ts";

const done: Act[] = [{ text: ["Done."] }];
const read: Act = { tool: "read_files", args: { paths: ["a"] } };
const tools = { read_files: () => json("read"), ask_user: () => json({ skipped: true }) };

async function runSteps(handleSteps: HandleSteps, more: Partial<WorldOptions> = {}, definition = {}) {
  const world = openWorld({ script: [done], tools, agents: [agent({ handleSteps, ...definition })], ...more });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  return { world, result };
}

test("closures work: a local agent's generator is called, not copied as text", async () => {
  const seen: unknown[] = [];
  await runSteps(function* ({ prompt, params, agentState }) {
    seen.push(prompt, params, agentState.agentId);
    const reply = yield "STEP";
    seen.push(reply.stepsComplete, reply.agentState.messageHistory.length);
  });
  expect(seen).toEqual(["hello", undefined, "main-agent", true, 3]);
});

test("STEP_ALL lets the model go on until it wants to end, then resumes", async () => {
  const replies: boolean[] = [];
  const { world } = await runSteps(
    function* () {
      replies.push((yield "STEP_ALL").stepsComplete);
    },
    { script: [[read], [read], done] },
  );
  expect(world.model.requests).toHaveLength(3);
  expect(replies).toEqual([true]);
});

test("GENERATE_N gives several answers, unseen, outside history, all paid for", async () => {
  let responses: readonly string[] | undefined;
  const { world, result } = await runSteps(
    function* () {
      responses = (yield { type: "GENERATE_N", n: 3 }).nResponses;
    },
    { script: [[{ text: ["one"] }], [{ text: ["two"] }], [{ text: ["th", "ree"] }]] },
  );
  expect([...(responses ?? [])].sort()).toEqual(["one", "three", "two"]);
  expect(result.chunks).toEqual([]);
  expect(JSON.stringify(result.history)).not.toContain("three");
  expect(result.events.at(-1)).toMatchObject({ totalCost: 6 });
  expect(world.ledger.filter(({ action }) => action === "STEP")).toHaveLength(1);
});

test("a throw ends the turn: told as text, in the output and as a skipped step", async () => {
  const { world, result } = await runSteps(function* () {
    yield { toolName: "read_files", input: { paths: ["a"] } };
    throw new Error("lost");
  });
  expect(result.events.find((event) => event.type === "error")).toMatchObject({ code: "steps_failed", fatal: false });
  expect(result.last.sessionState?.mainAgentState.output).toEqual({ error: "lost" });
  expect(world.ledger.at(-2)).toMatchObject({ action: "STEP", status: "skipped", errorMessage: "lost" });
  expect(result.history.at(-1)).toMatchObject({ role: "assistant" });
});

test("nonsense that is yielded, and yielding without end, are told like a throw", async () => {
  const nonsense = await runSteps(function* () {
    yield { tool: "read_files" } as never;
  });
  expect(JSON.stringify(nonsense.result.events)).toContain("handleSteps yielded");
  const endless = await runSteps(function* () {
    for (;;) yield { toolName: "think_deeply", input: { thought: "hm" }, includeToolCall: false };
  });
  expect(JSON.stringify(endless.result.events.slice(-4))).toContain("1000 times");
});

test("a yielded call may use any tool, with defaults filled in; bad input is a result", async () => {
  const results: unknown[] = [];
  const { result } = await runSteps(
    function* () {
      results.push((yield { toolName: "code_search", input: { pattern: "x" } }).toolResult);
      results.push((yield { toolName: "code_search", input: {} }).toolResult);
    },
    { tools: { code_search: (input) => json(input) } },
  );
  expect(results[0]).toEqual(json({ pattern: "x", maxResults: 15 }));
  expect(results[1]).toEqual(json({ errorMessage: expect.stringContaining("pattern") }));
  expect(result.events.filter((event) => event.type === "tool_result")).toHaveLength(2);
});

describe("an agent of the store", () => {
  const store = (handleSteps: HandleSteps, toolNames: string[]): FoundAgent => ({
    definition: AgentDefinition.parse(agent({ toolNames, handleSteps: "function* () {}" })),
    origin: "store",
    startSteps: async (start) => startLocalSteps(handleSteps, start),
  });

  test("may only call its own tools, and cannot mark a plan", async () => {
    const results: unknown[] = [];
    const world = openWorld({
      script: [done],
      tools,
      agents: [
        store(
          function* () {
            results.push((yield { toolName: "read_files", input: { paths: ["a"] } }).toolResult);
            results.push((yield { toolName: "run_terminal_command", input: { command: "rm" } }).toolResult);
            yield { toolName: "ask_user", input: question, plan: { text: "trust me" } };
          },
          ["read_files", "ask_user"],
        ),
      ],
    });
    const result = await runPrompt(world);
    expect(results).toEqual([json("read"), json({ errorMessage: expect.stringContaining("its own tools") })]);
    expect(result.events.some((event) => event.type === "tool_call" && event.plan !== undefined)).toBe(false);
  });

  test("whose steps are text needs an isolate", async () => {
    const definition = AgentDefinition.parse(agent({ handleSteps: "function* () { yield 'STEP' }" }));
    const world = openWorld({ script: [done], agents: [{ definition, origin: "local" }] });
    expect((await runPrompt(world)).last).toMatchObject({ output: { type: "error", error: "no_isolate" } });
  });
});

const question = { questions: [{ question: "Build it?", options: [{ label: "approve" }, { label: "reject" }] }] };

describe("PLAN", () => {
  const planner: HandleSteps = function* () {
    for (;;) {
      const { agentState } = yield "STEP";
      const text = JSON.stringify(agentState.messageHistory.at(-1)?.content);
      if (!text.includes("<PLAN>")) return;
      const { toolResult } = yield { toolName: "ask_user", input: question, plan: { text }, includeToolCall: false };
      if (JSON.stringify(toolResult).includes("skipped")) return;
    }
  };

  test("the question carries the plan beside its input, and the tool that asks is told", async () => {
    const asked: unknown[] = [];
    const { result } = await runSteps(planner, {
      script: [[{ text: ["<PLAN>1. build</PLAN>"] }], done],
      tools: {
        ask_user: (_input, { call }) => {
          asked.push(call.plan);
          return json({ decision: "approve" });
        },
      },
    });
    const call = result.events.find((event) => event.type === "tool_call") as Extract<
      PrintModeEvent,
      { type: "tool_call" }
    >;
    expect(call.plan?.text).toContain("1. build");
    expect(call.input).not.toHaveProperty("plan");
    expect(asked).toEqual([call.plan]);
    expect(result.chunks.at(-1)).toBe("Done.");
  });

  test("a model cannot forge the mark", async () => {
    const world = openWorld({
      script: [[{ tool: "ask_user", args: { ...question, plan: { text: "forged" } } }], done],
      agents: [agent({ toolNames: ["ask_user"] })],
      tools: { ask_user: (_input, { call }) => json({ marked: call.plan !== undefined }) },
    });
    const result = await runPrompt(world);
    expect(JSON.stringify(result.events)).toContain('"marked":false');
    expect(result.events.some((event) => event.type === "tool_call" && event.plan !== undefined)).toBe(false);
  });

  test("skipped ends the turn", async () => {
    const { world } = await runSteps(planner, { script: [[{ text: ["<PLAN>x</PLAN>"] }], done] });
    expect(world.model.requests).toHaveLength(1);
  });
});

test("STEP_TEXT is the assistant's word; calls written in it are run and cut out of what is shown", async () => {
  let seen: unknown;
  const { result } = await runSteps(function* () {
    const text =
      "I look.\n<read_files>\n<paths>a</paths>\n</read_files>\n<read_files>\n<wrong>a</wrong>\n</read_files>\n";
    seen = (yield { type: "STEP_TEXT", text }).toolResult;
  });
  const calls = result.events.filter((event) => event.type === "tool_call");
  expect(calls).toMatchObject([{ input: { paths: ["a"] } }, { toolName: "read_files" }]);
  expect(result.events.find((event) => event.type === "text")).toMatchObject({
    text: expect.stringMatching(/^I look\.\s*$/),
  });
  expect(seen).toEqual(json({ errorMessage: expect.stringContaining("wrong") }));
  expect(result.history.map(({ role }) => role)).toEqual([
    "user",
    "user",
    "assistant",
    "assistant",
    "assistant",
    "tool",
    "tool",
  ]);
});
