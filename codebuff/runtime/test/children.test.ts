import type { PrintModeEvent } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../src/index.ts";
import {
  agent,
  json,
  openWorld,
  type RunResult,
  runFaults,
  runPrompt,
  session,
  type WorldOptions,
} from "./memory-ports.ts";
import { helper } from "./recorded-scenarios.ts";
import type { Act } from "./scripted-model.ts";

const done: Act[] = [{ text: ["Done."] }];
const spawn = (...types: string[]): Act => ({
  tool: "spawn_agents",
  args: { agents: types.map((agent_type) => ({ agent_type, prompt: `do ${agent_type}` })) },
});
const parent = (...spawnableAgents: string[]) => agent({ toolNames: ["spawn_agents", "read_files"], spawnableAgents });
const reader = (id: string, more = {}) => helper(id, { toolNames: ["read_files"], ...more });

/** Each agent follows its own script, whatever the others do. */
function each(scripts: Readonly<Record<string, readonly (readonly Act[])[]>>): WorldOptions["script"] {
  const taken = new Map<string, number>();
  return (_index, { agent: { id }, agentId }: ModelRequest) => {
    const at = taken.get(agentId) ?? 0;
    taken.set(agentId, at + 1);
    return scripts[id]?.[at] ?? scripts[id]?.at(-1) ?? done;
  };
}

const tools: WorldOptions["tools"] = {
  read_files: async ({ paths }, { clock, scope, progress }) => {
    progress(`reading ${String(paths)}`);
    await clock.sleep(scope.agentId === "agent-2" ? 10 : 25, scope.signal);
    return json([{ path: String(paths), content: scope.agentId === "" ? "" : "text", referencedBy: {} }]);
  },
};

/** A child's own events, without the ids that differ from run to run. */
function eventsOf({ events }: RunResult, agentType: string): unknown[] {
  const start = events.find((event) => event.type === "subagent_start" && event.agentType === agentType);
  const id = (start as { agentId?: string }).agentId;
  const own = events.filter((event) => (event as { agentId?: string }).agentId === id);
  return own.map((event) => {
    const {
      toolCallId: _,
      agentId: __,
      parentAgentId: ___,
      runId: ____,
      onlyChild: _____,
      ...rest
    } = event as PrintModeEvent & Record<string, unknown>;
    return rest;
  });
}

describe("two helpers with tools at the same time", () => {
  const scripts = {
    "my-agent": [[spawn("a", "b")], done],
    a: [[{ text: ["I am ", "a. "] }, { tool: "read_files", args: { paths: ["a.ts"] } }], [{ text: ["a is done"] }]],
    b: [[{ reasoning: ["hm"] }, { tool: "read_files", args: { paths: ["b.ts"] } }], [{ text: ["b is done"] }]],
  };
  const agents = [parent("a", "b"), reader("a"), reader("b")];
  const run = async (types: string[]) => {
    const world = openWorld({ script: each({ ...scripts, "my-agent": [[spawn(...types)], done] }), agents, tools });
    const result = await runPrompt(world);
    expect(runFaults(result, world)).toEqual([]);
    return { world, result };
  };

  test("filtered by agent, the events of each are those of it alone", async () => {
    const both = (await run(["a", "b"])).result;
    expect(eventsOf(both, "a")).toEqual(eventsOf((await run(["a"])).result, "a"));
    expect(eventsOf(both, "b")).toEqual(eventsOf((await run(["b"])).result, "b"));
    expect(eventsOf(both, "a").length).toBeGreaterThan(5);
  });

  test("their events really overlap", async () => {
    const { result } = await run(["a", "b"]);
    const types = result.events.map(({ type }) => type);
    expect(types.indexOf("subagent_finish")).toBeGreaterThan(types.lastIndexOf("subagent_start"));
  });

  test("costs add up and the parent's own are told apart", async () => {
    const { world, result } = await run(["a", "b"]);
    expect(result.events.at(-1)).toMatchObject({ type: "finish", totalCost: 12 });
    expect(result.last.sessionState?.mainAgentState).toMatchObject({ creditsUsed: 12, directCreditsUsed: 4 });
    expect(world.ledger.at(-1)).toMatchObject({
      action: "FINISH",
      direct: { millicredits: 4_000 },
      total: { millicredits: 12_000 },
    });
    const steps = world.ledger.filter((line) => line.action === "STEP" && line.runId === "run-1");
    expect(steps[0]).toMatchObject({ childRunIds: ["run-2", "run-3"], cost: { millicredits: 2_000 } });
  });

  test("a child ends before its parent, and its terminal may go", async () => {
    const { world } = await run(["a", "b"]);
    expect(world.ended.at(-1)).toBe("main-agent");
    expect(world.ended).toHaveLength(3);
    expect(world.ledger.filter(({ action }) => action === "FINISH").at(-1)).toMatchObject({ runId: "run-1" });
    expect(world.ledger.filter(({ action }) => action === "START")[1]).toMatchObject({ ancestorRunIds: ["run-1"] });
  });
});

const resultOf = ({ events }: RunResult) => {
  const spawned = events.find((event) => event.type === "tool_result" && event.toolName === "spawn_agents");
  const [part] = (spawned as Extract<PrintModeEvent, { type: "tool_result" }>).output;
  return (part as unknown as { value: { agentType: string; value: Record<string, unknown> }[] }).value;
};

test("one failing helper hurts no other, and what it cost is counted", async () => {
  const world = openWorld({
    script: each({
      "my-agent": [[spawn("bad", "good", "ghost")], done],
      bad: [
        [{ tool: "read_files", args: { paths: ["x"] } }],
        [{ type: "error", code: "rate_limit_exceeded", message: "slow down" }],
      ],
      good: [[{ text: ["fine"] }]],
    }),
    agents: [parent("bad", "good"), reader("bad"), reader("good")],
    tools,
  });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(resultOf(result)).toMatchObject([
    { agentType: "bad", value: { errorMessage: "slow down" } },
    { agentType: "good", value: { type: "lastMessage" } },
    { agentType: "ghost", value: { errorMessage: expect.stringContaining("not available") } },
  ]);
  expect(result.events.at(-1)).toMatchObject({ totalCost: 8, status: "completed" });
});

test("more than eight wait for a place; none is lost", async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `h${index}`);
  let atWork = 0;
  let most = 0;
  const world = openWorld({
    script: each({
      "my-agent": [[spawn(...ids)], done],
      ...Object.fromEntries(ids.map((id) => [id, [[{ tool: "read_files", args: { paths: [id] } }], done]])),
    }),
    agents: [parent(...ids), ...ids.map((id) => reader(id))],
    tools: {
      read_files: async (_input, { clock, scope }) => {
        most = Math.max(most, ++atWork);
        await clock.sleep(100, scope.signal);
        atWork--;
        return json("ok");
      },
    },
  });
  const result = await runPrompt(world);
  expect(most).toBe(8);
  expect(resultOf(result).map(({ agentType }) => agentType)).toEqual(ids);
  expect(runFaults(result, world)).toEqual([]);
});

test("eight parents that each spawn do not block one another, and the sixth level is refused with a result", async () => {
  const ids = Array.from({ length: 8 }, (_, index) => `p${index}`);
  const world = openWorld({
    script: (_index, { agent: { id }, messages }) =>
      messages.some(({ role }) => role === "tool") ? done : id === "my-agent" ? [spawn(...ids)] : [spawn("again")],
    agents: [
      parent(...ids),
      ...ids.map((id) => helper(id, { toolNames: ["spawn_agents"], spawnableAgents: ["again"] })),
      helper("again", { toolNames: ["spawn_agents"], spawnableAgents: ["again"] }),
    ],
  });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  expect(result.last).toMatchObject({ status: "completed" });
  expect(world.ledger.filter(({ action }) => action === "START")).toHaveLength(1 + 8 * 5);
  const refusals = result.events.filter((event) => JSON.stringify(event).includes("nested deeper than 5"));
  expect(refusals).toHaveLength(8);
});

test("an agent called under its own name is spawned; dashes and underlines are the same, params may be a string", async () => {
  const world = openWorld({
    script: each({
      "my-agent": [[{ tool: "file_picker", args: { prompt: "direct", params: '{"depth":2}' } }], done],
      "file-picker": [[{ text: ["picked"] }]],
    }),
    agents: [parent("file-picker"), helper("file-picker")],
  });
  const result = await runPrompt(world);
  expect(result.events.find(({ type }) => type === "tool_call")).toMatchObject({
    toolName: "spawn_agents",
    input: { agents: [{ agent_type: "file-picker", prompt: "direct", params: { depth: 2 } }] },
  });
  expect(result.events.find(({ type }) => type === "subagent_start")).toMatchObject({
    params: { depth: 2 },
    onlyChild: true,
  });
  expect(world.model.requests[0]?.tools.map(({ name }) => name)).toContain("file-picker");
});

test("a child that inherits system prompt and history has a request with the parent's bytes in front", async () => {
  const world = openWorld({
    script: each({ "my-agent": [[{ text: ["plan"] }, spawn("editor")], done], editor: [[{ text: ["edited"] }]] }),
    agents: [
      parent("editor"),
      helper("editor", { inheritParentSystemPrompt: true, includeMessageHistory: true, toolNames: ["read_files"] }),
    ],
  });
  const result = await runPrompt(world);
  expect(runFaults(result, world)).toEqual([]);
  const [first, child] = world.model.requests;
  expect(child?.tools).toEqual(first?.tools);
  expect(child?.messages[0]).toEqual(first?.messages[0]);
  expect(child?.messages[1]).toEqual(first?.messages[1]);
  expect(JSON.stringify(child?.messages.at(-1))).toContain("may call only: read_files");
});

test("a child may not use a tool it only sees because its parent has it", async () => {
  const world = openWorld({
    script: each({
      "my-agent": [[spawn("editor")], done],
      editor: [[{ tool: "write_file", args: { path: "a", instructions: "x", content: "x" } }], done],
    }),
    agents: [
      agent({ toolNames: ["spawn_agents", "write_file"], spawnableAgents: ["editor"] }),
      helper("editor", { inheritParentSystemPrompt: true, toolNames: ["read_files"] }),
    ],
    tools: { write_file: () => json("written") },
  });
  const result = await runPrompt(world);
  expect(JSON.stringify(result.events)).not.toContain("written");
  expect(result.events.find((event) => event.type === "error")).toMatchObject({ code: "unknown_tool" });
});

test("an inline agent works on the parent's history and its history takes the place", async () => {
  const world = openWorld({
    script: [done],
    agents: [
      agent({
        toolNames: ["read_files"],
        handleSteps: function* () {
          yield { toolName: "spawn_agent_inline", input: { agent_type: "tidy" }, includeToolCall: false };
          yield "STEP";
        },
      }),
      helper("tidy", {
        instructionsPrompt: "only for tidy",
        handleSteps: function* ({ agentState }) {
          const messages = agentState.messageHistory.filter((message) => !message.tags?.includes("OLD"));
          yield { toolName: "set_messages", input: { messages }, includeToolCall: false };
        },
      }),
    ],
  });
  const old = { role: "user" as const, content: [{ type: "text" as const, text: "old" }], tags: ["OLD"] };
  const result = await runPrompt(world, { sessionState: session([old]) });
  expect(runFaults(result, world)).toEqual([]);
  expect(JSON.stringify(result.history)).not.toContain("old");
  expect(JSON.stringify(result.history)).not.toContain("only for tidy");
  expect(world.journal.some((entry) => entry.type === "replace" && entry.reason === "inline")).toBe(true);
});
