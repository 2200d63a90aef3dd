import { errorOutput, type PrintModeEvent } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { Chunk } from "../src/index.ts";
import { json, openWorld, type RunResult, runFaults, runPrompt, type WorldOptions } from "./memory-ports.ts";
import { type Act, finished } from "./scripted-model.ts";

/** An answer with two calls, in pieces of the given size. */
function answer(size: number): Chunk[] {
  const pieces = (text: string) => text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  return [
    ...pieces("thinking it over").map((text): Chunk => ({ type: "reasoning-delta", text })),
    ...pieces("I read two files.").map((text): Chunk => ({ type: "text-delta", text })),
    { type: "tool-call", toolName: "read_files", input: '{"paths":["a"]}' },
    ...pieces("And this one.").map((text): Chunk => ({ type: "text-delta", text })),
    { type: "tool-call", toolName: "read_files", input: '{"paths":["b"]}' },
    finished({ reason: "tool-calls", messageId: "gen" }),
  ];
}

const done: Act[] = [{ text: ["Done."] }];
const tools = { read_files: () => json([{ path: "a", content: "alpha", referencedBy: {} }]) };
const world = (script: WorldOptions["script"], more: Partial<WorldOptions> = {}) =>
  openWorld({ script, tools, ...more });
const errors = ({ events }: RunResult) => events.filter((event) => event.type === "error");
const codes = (result: RunResult) => errors(result).map(({ code }) => code);
/** What a reader has after taking back what was withdrawn. */
function shown(events: readonly PrintModeEvent[]): string {
  let text = "";
  for (const event of events) {
    if (event.type === "text") text += event.text;
    if (event.type === "error" && event.code === "withdrawn")
      text = text.slice(0, text.length - (event.characters ?? 0));
  }
  return text;
}

describe("an answer cut after each chunk", () => {
  const whole = answer(1);
  test.each(whole.slice(0, -1).map((_, index) => index))("after %i chunks the step is tried again", async (count) => {
    const cut: Act[] = [...whole.slice(0, count), { cut: true }];
    const here = world([cut, whole, done]);
    const result = await runPrompt(here);
    expect(runFaults(result, here)).toEqual([]);
    expect(here.model.requests[1]?.messages).toEqual(here.model.requests[0]?.messages);
    expect(shown(result.events)).toBe("I read two files.And this one.Done.");
    expect(codes(result)).toEqual([
      whole.slice(0, count).some(({ type }) => type !== "reasoning-delta") ? "withdrawn" : "retrying",
    ]);
    expect(result.last).toMatchObject({ status: "completed" });
  });

  test("pieces of one character and whole ones give the same history", async () => {
    const histories = await Promise.all(
      [1, 3, 1_000].map(async (size) => {
        const here = world([answer(size), done]);
        return JSON.stringify((await runPrompt(here)).history);
      }),
    );
    expect(new Set(histories).size).toBe(1);
  });

  test("three times in a row fails the run, and what was shown last stays with results for its calls", async () => {
    const cut: Act[] = [...answer(100).slice(0, 3), { cut: true }];
    const here = world([cut, cut, cut, done]);
    const result = await runPrompt(here);
    expect(runFaults(result, here)).toEqual([]);
    expect(here.model.requests).toHaveLength(3);
    expect(codes(result)).toEqual(["withdrawn", "withdrawn", "stream_cut"]);
    expect(result.last).toMatchObject({ status: "failed", output: { type: "error", error: "stream_cut" } });
    expect(result.history.at(-1)).toMatchObject({
      role: "tool",
      content: errorOutput(expect.stringContaining("Not run")),
    });
  });
});

test("a withdrawn step names its characters and calls, and its calls get results that are not in history", async () => {
  const here = world([[...answer(100).slice(0, 4), { cut: true }], answer(100), done]);
  const result = await runPrompt(here);
  const calls = result.events.filter((event) => event.type === "tool_call").map(({ toolCallId }) => toolCallId);
  expect(errors(result)).toMatchObject([
    { code: "withdrawn", fatal: false, agentId: "main-agent", characters: 30, toolCallIds: [calls[0]] },
  ]);
  expect(JSON.stringify(result.history)).not.toContain(calls[0]);
  expect(result.history.filter(({ role }) => role === "tool")).toHaveLength(2);
});

test("a stream that falls silent for a minute is cut; announced retries and chunks are signs of life", async () => {
  const slow: Act[] = [{ text: ["a"] }, { wait: 59_000 }, { text: ["b"] }, { wait: 59_000 }, { text: ["c"] }];
  const patient = world([slow]);
  expect(codes(await runPrompt(patient))).toEqual([]);
  const retried = world([[{ type: "retrying", untilMs: 1_000_000 + 90_000 }, { wait: 100_000 }, ...slow]]);
  expect(codes(await runPrompt(retried))).toEqual(["retrying"]);
  const silent = world([[{ text: ["half"] }, { hang: true }], done]);
  const result = await runPrompt(silent);
  expect(codes(result)).toEqual(["withdrawn"]);
  expect(errors(result)[0]?.message).toContain("silent for 60 s");
  expect(shown(result.events)).toBe("Done.");
  expect(runFaults(result, silent)).toEqual([]);
});

test("a stream that throws is a cut one; an error chunk is the last word and keeps its code", async () => {
  const thrown = world([[{ text: ["x"] }, { throws: new Error("socket hang up") }], done]);
  expect(codes(await runPrompt(thrown))).toEqual(["withdrawn"]);
  const failed = world([
    [{ text: ["x"] }, { type: "error", code: "account_suspended", message: "no", statusCode: 403 }],
  ]);
  const result = await runPrompt(failed);
  expect(result.last).toMatchObject({
    status: "failed",
    output: { type: "error", message: "no", statusCode: 403, error: "account_suspended" },
  });
  expect(failed.model.requests).toHaveLength(1);
  expect(failed.ledger.at(-1)).toMatchObject({ action: "FINISH", status: "failed", errorMessage: "no" });
  const unpaid = world([[{ type: "error", message: "pay", statusCode: 402 }]]);
  expect(codes(await runPrompt(unpaid))).toEqual(["out_of_credits"]);
});

test("an empty answer is asked for once more, then the run fails; only thoughts are asked to be shorter", async () => {
  const once = world([[], done]);
  expect((await runPrompt(once)).last).toMatchObject({ status: "completed" });
  const twice = world([[]]);
  expect((await runPrompt(twice)).last).toMatchObject({ output: { error: "empty_answer" } });
  expect(twice.model.requests).toHaveLength(2);
  const thoughts = world([[{ reasoning: ["hm"] }], done]);
  const result = await runPrompt(thoughts);
  expect(JSON.stringify(thoughts.model.requests[1]?.messages.at(-1))).toContain("shortly");
  expect(JSON.stringify(result.history)).not.toContain("shortly");
  expect(result.last).toMatchObject({ status: "completed" });
});

test("an answer that ends by its length goes on once; the second time the turn ends and says so", async () => {
  const long: Act[] = [{ text: ["so much"] }, finished({ reason: "length" })];
  const here = world([long, long, done]);
  const result = await runPrompt(here);
  expect(here.model.requests).toHaveLength(2);
  expect(codes(result)).toEqual(["length", "length"]);
  expect(result.last).toMatchObject({ status: "completed" });
  expect(runFaults(result, here)).toEqual([]);
});

test("every call gets an id of its own, whatever ids the provider gave", async () => {
  const call: Act = { tool: "read_files", args: { paths: ["a"] } };
  const here = world([[call, call, call], done]);
  const result = await runPrompt(here);
  const ids = result.events.flatMap((event) => (event.type === "tool_call" ? [event.toolCallId] : []));
  expect(new Set(ids).size).toBe(3);
  expect(runFaults(result, here)).toEqual([]);
});

test.each([
  ["a trailing comma", '{"paths":["a",],}', { paths: ["a"] }, ["trailing comma"]],
  ["a raw newline in a string", '{"paths":["a\nb"]}', { paths: ["a\nb"] }, ["unescaped control characters"]],
  ["the whole input as a string", '"{\\"paths\\":[\\"a\\"]}"', { paths: ["a"] }, ["stringified input"]],
  ["one field as a string", '{"paths":"[\\"a\\"]"}', { paths: ["a"] }, ["stringified paths"]],
])("%s is mended and the event says so", async (_title, input, expected, repaired) => {
  const here = world([[{ tool: "read_files", args: input }], done]);
  const result = await runPrompt(here);
  expect(result.events.find((event) => event.type === "tool_call")).toMatchObject({ input: expected, repaired });
  expect(codes(result)).toEqual([]);
});

test.each([
  ["arguments that are no JSON", "read_files", '{"paths": [', "bad_arguments"],
  ["arguments that are no object", "read_files", "[1]", "bad_arguments"],
  ["a missing field", "read_files", "{}", "bad_arguments"],
  ["an unknown tool", "fly", "{}", "unknown_tool"],
  ["a tool the agent does not have", "code_search", '{"pattern":"x"}', "unknown_tool"],
  ["a name of Object.prototype", "constructor", "{}", "unknown_tool"],
])("%s: an error that is not fatal, a call and a result, and another step", async (_title, tool, args, code) => {
  const here = world([[{ tool, args }], done]);
  const result = await runPrompt(here);
  expect(runFaults(result, here)).toEqual([]);
  expect(errors(result)).toMatchObject([{ code, fatal: false }]);
  expect(result.events.find((event) => event.type === "tool_result")).toMatchObject({
    output: [{ type: "json", value: { errorMessage: errors(result)[0]?.message } }],
  });
  expect(here.model.requests).toHaveLength(2);
});

test("START that fails keeps its code and status, and there is a start, an error and a finish", async () => {
  const startFails = Object.assign(new Error("no credits"), { statusCode: 402 });
  const here = world([done], { startFails });
  const result = await runPrompt(here);
  expect(result.events.map(({ type }) => type)).toEqual(["start", "error", "finish"]);
  expect(result.last).toMatchObject({ output: { statusCode: 402, error: "out_of_credits" }, status: "failed" });
  expect(here.model.requests).toHaveLength(0);
  expect(JSON.stringify(result.history)).toContain("hello");
});

test("a failing token count is never fatal, and its success scales the estimate", async () => {
  let count = 0;
  const countTokens = async () => {
    if (count++ === 0) throw new Error("500");
    return 5_000;
  };
  const here = world([done], { countTokens });
  expect((await runPrompt(here)).last).toMatchObject({ status: "completed" });
  expect(here.warnings.join()).toContain("estimated");
  const counted = world([done], { countTokens });
  const result = await runPrompt(counted);
  expect(result.last.sessionState?.mainAgentState.contextTokenCount).toBeGreaterThan(100);
});

test("a tool that throws, hangs over an abort, or answers nonsense still gives one result per call", async () => {
  const calls: Act[] = ["read_files", "write_file", "run_terminal_command"].map((tool) => ({
    tool,
    args: { paths: ["a"], path: "a", instructions: "x", content: "x", command: "x" },
  }));
  const here = openWorld({
    script: [calls, done],
    tools: {
      read_files: () => {
        throw new Error("boom");
      },
    },
  });
  const result = await runPrompt(here);
  expect(runFaults(result, here)).toEqual([]);
  expect(result.events.filter((event) => event.type === "tool_result")).toHaveLength(3);
});
