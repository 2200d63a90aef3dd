import { estimateTokens, type Message, messageTokens } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import type { ModelRequest } from "../src/index.ts";
import { agent, json, openWorld, runFaults, runPrompt, session } from "./memory-ports.ts";
import { providerRefusals } from "./provider-rules.ts";
import type { Act } from "./scripted-model.ts";

const window = 60_000;
const steps = 2_000;

/** What a strict reader would count, without the runtime's own sums. */
function sizeOf({ messages, tools }: ModelRequest): number {
  const text = messages.reduce((sum, message) => sum + messageTokens(message), 0);
  return text + estimateTokens(JSON.stringify(tools));
}

/** The step's work: planted facts first, then thousands of calls with long results. */
function workOf(index: number): Act[] {
  if (index === 0)
    return [{ text: ["I decide for SQLite, because nothing has to be installed."] }, subgoal, read("src/early.ts")];
  if (index === 1)
    return [
      { tool: "str_replace", args: { path: "src/planted.ts", replacements: [{ old: "a", new: "PLANTED_EDIT" }] } },
    ];
  if (index === steps - 1) return [{ text: ["All done."] }];
  return index % 3 === 0
    ? [{ text: [`Step ${index}.`] }, { tool: "run_terminal_command", args: { command: `npm test ${index}` } }]
    : [read(`src/file-${index}.ts`)];
}

const read = (path: string): Act => ({ tool: "read_files", args: { paths: [path] } });
const subgoal: Act = { tool: "add_subgoal", args: { id: "g1", objective: "SUBGOAL_OBJECTIVE", status: "IN_PROGRESS" } };

test("a session of 2,000 steps: no request over budget, and what was planted early is in the last one", async () => {
  const world = openWorld({
    window,
    script: workOf,
    agents: [
      agent({
        toolNames: ["read_files", "run_terminal_command", "str_replace", "add_subgoal"],
        stepPrompt: "{CODEBUFF_REMAINING_STEPS} steps left",
      }),
    ],
    tools: {
      read_files: ({ paths }) =>
        json([{ path: String(paths), content: `content of ${String(paths)}\n`.repeat(60), referencedBy: {} }]),
      run_terminal_command: ({ command }) =>
        json({ command: String(command), stdout: "ok 1\n".repeat(800), exitCode: 0 }),
      str_replace: () =>
        json({ file: "src/planted.ts", message: "Updated file", unifiedDiff: "@@ -1 +1 @@\n-a\n+PLANTED_EDIT\n" }),
    },
  });
  const content = [{ type: "text" as const, text: "Build the parser. Never touch the folder legacy/." }];
  const result = await runPrompt(world, { content, limits: { maxSteps: steps + 1 } });
  expect(runFaults(result, world).slice(0, 3)).toEqual([]);
  expect(result.last).toMatchObject({ status: "completed" });
  expect(world.model.requests).toHaveLength(steps);
  expect(world.model.requests.filter((request) => sizeOf(request) + request.maxTokens > window)).toEqual([]);
  expect(
    world.journal.filter((entry) => entry.type === "replace" && entry.reason === "compact").length,
  ).toBeGreaterThan(5);
  const last = JSON.stringify(world.model.requests.at(-1)?.messages);
  for (const fact of [
    "Never touch the folder legacy/",
    "src/planted.ts",
    "PLANTED_EDIT",
    "SUBGOAL_OBJECTIVE",
    "SQLite",
  ]) {
    expect(last).toContain(fact);
  }
  for (const { messages } of world.model.requests.slice(-20)) expect(providerRefusals(messages)).toEqual([]);
});

test("a task that alone does not fit is refused with context_overflow before the model is asked", async () => {
  const world = openWorld({
    window: 8_000,
    script: [[{ text: ["x"] }]],
    agents: [agent({ systemPrompt: "rule ".repeat(8_000) })],
  });
  const result = await runPrompt(world);
  expect(result.last).toMatchObject({ output: { type: "error", error: "context_overflow" } });
  expect(world.model.requests).toHaveLength(0);
});

test("context-pruner asks the loop itself: by force it summarises, otherwise only what does not fit", async () => {
  const said: Message[] = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: [{ type: "text", text: `message ${index} `.repeat(50) }],
  }));
  const prune = (params: Record<string, unknown>) => [
    { tool: "spawn_agent_inline", args: { agent_type: "context-pruner", params } },
  ];
  const run = async (params: Record<string, unknown>) => {
    const world = openWorld({
      window: 16_000,
      script: [prune(params), [{ text: ["Done."] }]],
      agents: [agent({ toolNames: ["spawn_agent_inline"] })],
    });
    return (await runPrompt(world, { sessionState: session(said) })).history.length;
  };
  expect(await run({})).toBeGreaterThan(40);
  expect(await run({ force: true })).toBeLessThan(30);
});
