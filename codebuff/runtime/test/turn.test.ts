import { errorOutput, type HandleSteps, historyFaults, type Message } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { Inbox } from "../src/index.ts";
import { agent, json, openWorld, runFaults, runPrompt, session, type WorldOptions } from "./memory-ports.ts";
import { type Act, finished } from "./scripted-model.ts";

const done: Act[] = [{ text: ["Done."] }];
const read: Act = { tool: "read_files", args: { paths: ["a"] } };
const tools = { read_files: () => json("read") };
const textOf = (message: Message | undefined) => JSON.stringify(message?.content);

test("the order of a request: system, prompt, instructions, steps, and the step reminder last and never stored", async () => {
  const world = openWorld({
    script: [[read], done],
    tools,
    agents: [agent({ stepPrompt: "STEP {CODEBUFF_REMAINING_STEPS}" })],
  });
  const result = await runPrompt(world, { limits: { maxSteps: 10 } });
  const [first, second] = world.model.requests;
  expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user", "user", "user"]);
  expect(textOf(first?.messages.at(-1))).toContain("<system_reminder>STEP 10</system_reminder>");
  expect(textOf(second?.messages.at(-1))).toContain("<system_reminder>STEP 9</system_reminder>");
  expect(second?.messages.slice(0, 3)).toEqual(first?.messages.slice(0, 3));
  expect(JSON.stringify(result.history)).not.toContain("system_reminder");
});

test("a placeholder in a file or in the user's words stays as it is", async () => {
  const world = openWorld({
    script: [done],
    agents: [agent({ systemPrompt: "{CODEBUFF_KNOWLEDGE_FILES_CONTENTS} {CODEBUFF_NO}" })],
  });
  const sessionState = session([], {
    knowledgeFiles: { "knowledge.md": "{CODEBUFF_PROJECT_ROOT}", "src/knowledge.md": "deep" },
  });
  await runPrompt(world, { sessionState, content: [{ type: "text", text: "{CODEBUFF_USER_CWD}" }] });
  const [system, user] = world.model.requests[0]?.messages ?? [];
  expect(system?.content).toBe("```knowledge.md\n{CODEBUFF_PROJECT_ROOT}\n``` {CODEBUFF_NO}");
  expect(textOf(user)).toContain("{CODEBUFF_USER_CWD}");
});

test.each([
  [{ agent: undefined, costMode: "free" }, "base-free"],
  [{ agent: undefined, costMode: "normal" }, "base"],
  [{ agent: undefined, costMode: "max" }, "base-max"],
  [{ agent: undefined, costMode: "ask" }, "ask"],
  [{ agent: undefined, costMode: "experimental" }, "base2"],
  [{ agent: undefined, costMode: "something else" }, "base2"],
  [{ agent: undefined }, "base2"],
  [{ agent: "mine", costMode: "free" }, "mine"],
])("%j is run by %s", async (prompt, id) => {
  const ids = ["base-free", "base", "base-max", "ask", "base2", "mine"];
  const world = openWorld({ script: [done], agents: ids.map((one) => agent({ id: one })) });
  const result = await runPrompt(world, prompt);
  expect(result.events[0]).toMatchObject({
    type: "start",
    agentId: id,
    model: "anthropic/claude-sonnet-4",
    sessionId: "session-1",
  });
  expect(world.ledger[0]).toMatchObject({ action: "START", agentId: id });
});

test("credits begin at 0 with every prompt, and the history goes on", async () => {
  const first = await runPrompt(openWorld({ script: [[read], done], tools }));
  const world = openWorld({ script: [done] });
  const sessionState = JSON.parse(JSON.stringify(first.last.sessionState));
  const second = await runPrompt(world, {
    sessionState,
    content: [{ type: "text", text: "and now" }],
    messageId: "m2",
  });
  expect(second.events[0]).toMatchObject({ messageHistoryLength: first.history.length, messageId: "m2" });
  expect(second.events.at(-1)).toMatchObject({ totalCost: 2 });
  expect(second.history.filter((message) => message.keepLastTags?.includes("INSTRUCTIONS_PROMPT"))).toHaveLength(1);
  expect(second.history.slice(0, first.history.length)).toEqual(first.history);
  expect(runFaults(second, world)).toEqual([]);
});

test("a history a crash left without results is made whole before it is sent", async () => {
  const call = (toolCallId: string): Message => ({
    role: "assistant",
    content: [{ type: "tool-call", toolCallId, toolName: "read_files", input: {} }],
  });
  const result = (toolCallId: string): Message => ({
    role: "tool",
    toolCallId,
    toolName: "read_files",
    content: json("x"),
  });
  const said: Message = { role: "user", content: [{ type: "text", text: "hm" }] };
  const broken = [said, call("1"), call("2"), result("2"), said, result("1"), call("2"), call("3"), result("9")];
  const world = openWorld({ script: [done] });
  const run = await runPrompt(world, { sessionState: session(broken) });
  expect(runFaults(run, world)).toEqual([]);
  expect(run.history.slice(0, 8).map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "assistant",
    "tool",
    "tool",
    "user",
    "assistant",
    "tool",
  ]);
  expect(run.history[3]).toMatchObject({
    toolCallId: "1",
    content: errorOutput(expect.stringContaining("Interrupted")),
  });
});

test("replaying the journal gives the history, and calls are in it before their tool starts", async () => {
  const order: string[] = [];
  const world = openWorld({
    script: [[{ text: ["a"] }, read], done],
    tools: {
      read_files: () => {
        order.push(world.journal.at(-1)?.type ?? "");
        return json("x");
      },
    },
  });
  const result = await runPrompt(world);
  expect(order).toEqual(["calls"]);
  let replayed: readonly Message[] = [];
  for (const entry of world.journal) {
    if (entry.type === "append") replayed = [...replayed, ...entry.messages];
    if (entry.type === "replace") replayed = entry.messages;
  }
  expect(replayed).toEqual(result.history);
});

describe("the end of a turn", () => {
  const turns = async (script: WorldOptions["script"], definition = {}) => {
    const world = openWorld({ script, tools: { ...tools, create_plan: () => json("x") }, agents: [agent(definition)] });
    const result = await runPrompt(world, { limits: { maxSteps: 8 } });
    expect(runFaults(result, world)).toEqual([]);
    return { steps: world.model.requests.length, result, world };
  };
  const think: Act[] = [{ text: ["<think>hm</think>"] }];

  test("text that is only a thought goes on, three times at most", async () => {
    expect((await turns([think, done])).steps).toBe(2);
    expect((await turns([think])).steps).toBe(4);
  });

  test("an agent that has task_completed must call it", async () => {
    const { steps } = await turns([done, done, [{ tool: "task_completed", args: {} }]], {
      toolNames: ["task_completed"],
    });
    expect(steps).toBe(3);
  });

  test("end_turn ends it though another call would force a step", async () => {
    expect((await turns([[read, { tool: "end_turn", args: {} }], done])).steps).toBe(1);
  });

  test("a tool that does not force ends it", async () => {
    const call: Act = { tool: "create_plan", args: { path: "p", plan: "x" } };
    expect((await turns([[call], done], { toolNames: ["create_plan"] })).steps).toBe(1);
  });

  test("the step limit is said, noted and in the status; the whole tree can have one too", async () => {
    const { steps, result } = await turns([[read]]);
    expect(steps).toBe(8);
    expect(result.events.at(-1)).toMatchObject({ status: "max_steps", steps: 8 });
    expect(result.events.at(-2)).toMatchObject({ type: "text" });
    expect(textOf(result.history.at(-1))).toContain("maximum number of steps");
    const world = openWorld({ script: [[read]], tools });
    const limited = await runPrompt(world, { limits: { maxTotalSteps: 3 } });
    expect(limited.events.at(-1)).toMatchObject({ status: "max_steps", steps: 3 });
  });
});

describe("structured output", () => {
  const schema = { type: "object" as const, properties: { x: { type: "number" } }, required: ["x"] };
  const definition = { toolNames: ["set_output"], outputMode: "structured_output" as const, outputSchema: schema };
  const set = (args: unknown): Act[] => [{ tool: "set_output", args }];
  const run = async (script: WorldOptions["script"]) => {
    const world = openWorld({ script, agents: [agent(definition)] });
    return { world, result: await runPrompt(world) };
  };

  test("an invalid one forces another step; under data it counts too", async () => {
    const { world, result } = await run([set({ x: "bad" }), set({ data: { x: 4 } })]);
    expect(world.model.requests).toHaveLength(2);
    expect(result.last).toMatchObject({ output: { type: "structuredOutput", value: { x: 4 } } });
    expect(JSON.stringify(result.events)).toContain("does not fit its schema");
  });

  test("three more tries, then invalid_output; missing counts like invalid", async () => {
    for (const script of [[set({ x: "bad" })], [done]]) {
      const { world, result } = await run(script);
      expect(world.model.requests).toHaveLength(4);
      expect(result.last).toMatchObject({ status: "failed", output: { type: "error", error: "invalid_output" } });
      expect(runFaults(result, world)).toEqual([]);
    }
  });
});

describe("steering", () => {
  class Box implements Inbox {
    readonly waiting: { messageId: string; content: { type: "text"; text: string }[] }[] = [];
    isClosed = false;
    put(text: string): boolean {
      if (!this.isClosed) this.waiting.push({ messageId: text, content: [{ type: "text", text }] });
      return !this.isClosed;
    }
    take() {
      return this.waiting.splice(0);
    }
    close() {
      this.isClosed = true;
    }
  }

  const untilComplete: HandleSteps = function* () {
    let isOver = false;
    while (!isOver) isOver = (yield "STEP").stepsComplete;
  };
  const oneStep: HandleSteps = function* () {
    yield "STEP";
  };

  test.each<[string, HandleSteps | undefined]>([
    ["a plain agent", undefined],
    ["an agent with steps", untilComplete],
    ["an agent whose steps have ended", oneStep],
  ])("%s reads texts at the next step; one that comes at the end begins no silence", async (_name, handleSteps) => {
    const inbox = new Box();
    const world = openWorld({
      script: [[read], [{ text: ["first"] }], [{ text: ["second"] }]],
      tools: {
        read_files: () => {
          inbox.put("while working");
          return json("x");
        },
      },
      agents: [agent({ handleSteps })],
    });
    const result = await runPrompt(world, { inbox }, undefined, (action) => {
      if (action.type === "response-chunk" && action.chunk === "first") inbox.put("at the end");
    });
    expect(runFaults(result, world)).toEqual([]);
    expect(textOf(world.model.requests[1]?.messages.at(-1))).toContain("while working");
    expect(textOf(world.model.requests[2]?.messages.at(-1))).toContain("at the end");
    expect(inbox.put("too late")).toBe(false);
  });
});

test("subgoals, todos and skills are kept and given", async () => {
  const world = openWorld({
    script: [
      [
        { tool: "add_subgoal", args: { id: "1", objective: "build", status: "IN_PROGRESS", log: "begun" } },
        { tool: "update_subgoal", args: { id: "1", status: "COMPLETE", log: "built" } },
        { tool: "update_subgoal", args: { id: "2", log: "new" } },
        { tool: "write_todos", args: { todos: [{ task: "one", completed: false }] } },
        { tool: "skill", args: { name: "release" } },
        { tool: "skill", args: { name: "none" } },
        { tool: "lookup_agent_info", args: { agentId: "my-agent" } },
        { tool: "lookup_agent_info", args: { agentId: "nobody" } },
      ],
      done,
    ],
    agents: [agent({ toolNames: ["add_subgoal", "update_subgoal", "write_todos", "skill", "lookup_agent_info"] })],
  });
  const skills = { release: { name: "release", description: "how to release", content: "1. tag" } };
  const result = await runPrompt(world, { sessionState: session([], { skills }) });
  expect(result.last.sessionState?.mainAgentState).toMatchObject({
    agentContext: { 1: { objective: "build", status: "COMPLETE", logs: ["begun", "built"] }, 2: { logs: ["new"] } },
    todos: [{ task: "one", completed: false }],
  });
  const outputs = result.events
    .filter((event) => event.type === "tool_result")
    .map(({ output }) => JSON.stringify(output));
  expect(outputs[4]).toContain("1. tag");
  expect(outputs[5]).toContain("no skill");
  expect(outputs[6]).toContain('"found":true');
  expect(outputs[7]).toContain('"found":false');
  expect(world.model.requests[0]?.tools.find(({ name }) => name === "skill")?.description).toContain("how to release");
});

test("set_messages that no provider would take is refused", async () => {
  const orphan = [{ role: "tool", toolCallId: "x", toolName: "y", content: [] }];
  const world = openWorld({
    script: [[{ tool: "set_messages", args: { messages: orphan } }, read], done],
    tools,
    agents: [agent({ toolNames: ["set_messages", "read_files"] })],
  });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(historyFaults(result.history)).toEqual([]);
  expect(JSON.stringify(result.events)).toContain("No model would take");
});

test("progress comes at most ten times a second and 64 KiB per call, and nothing is lost below that", async () => {
  const world = openWorld({
    script: [[read], done],
    tools: {
      read_files: async (_input, { clock, scope, progress }) => {
        for (let index = 0; index < 50; index++) {
          progress(`${index} `);
          await clock.sleep(20, scope.signal);
        }
        progress("x".repeat(100_000));
        progress("never seen");
        return json("ok");
      },
    },
  });
  const result = await runPrompt(world);
  const pieces = result.events.filter((event) => event.type === "tool_progress").map(({ output }) => output);
  expect(pieces.length).toBeLessThanOrEqual(13);
  expect(pieces.join("")).toMatch(/^0 1 2 .*49 x+\n\[more output/s);
  expect(pieces.join("").length).toBeLessThan(66_000);
});

test("a tool's cost is part of its step; an unknown price makes the total unknown", async () => {
  const world = openWorld({
    script: [[{ tool: "web_search", args: { query: "q" } }], done],
    agents: [agent({ toolNames: ["web_search"] })],
    tools: { web_search: () => json({ result: "r" }) },
    toolCosts: { web_search: { millicredits: 1_400, known: false } },
  });
  const result = await runPrompt(world);
  expect(result.events.at(-1)).toMatchObject({ totalCost: 5, costUnknown: true });
  expect(result.events.at(-1)).not.toHaveProperty("totalCostUsd");
  expect(world.ledger[1]).toMatchObject({ cost: { millicredits: 3_400 } });
});

test("an image in a result follows as what a user shows", async () => {
  const image = { type: "media" as const, data: "aGk=", mediaType: "image/png" };
  const world = openWorld({ script: [[read], done], tools: { read_files: () => [image] } });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(world.model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "user",
    content: [{ type: "file", data: "aGk=" }],
  });
});

test("a finish that reports usage is summed for the whole run", async () => {
  const world = openWorld({ script: [[read, finished({ reason: "tool-calls" })], done], tools });
  expect((await runPrompt(world)).events.at(-1)).toMatchObject({
    usage: { inputTokens: 200, outputTokens: 40 },
    steps: 2,
  });
});
