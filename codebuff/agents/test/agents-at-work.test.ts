import { agentAliases, shippedAgents } from "@muster/codebuff-agents";
import type { Message, ToolOutput } from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import {
  json,
  openWorld,
  type RunResult,
  runFaults,
  runPrompt,
  type ToolAct,
  type World,
} from "../../runtime/test/memory-ports.ts";
import type { Act } from "../../runtime/test/scripted-model.ts";

const say = (text: string): Act[] => [{ text: [text] }];
const done = say("Done.");

describe("file-picker", () => {
  test("reads by program what the model names, and gives back its summary", async () => {
    const { world, result } = await helped("file-picker", {
      script: [say("- `src/a.ts`\n2. src/b.ts\nThese seem right.\nsrc/a.ts"), say("src/a.ts: the parser.")],
      tools: {
        read_files: ({ paths }) => json((paths as string[]).map((path) => ({ path, content: "x", referencedBy: {} }))),
      },
    });
    expect(callsOf(result, "read_files")).toEqual([{ paths: ["src/a.ts", "src/b.ts"] }]);
    expect(texts(answerOf(result))).toBe("src/a.ts: the parser.");
    expect(world.model.requests.filter(({ agent }) => agent.id === "file-picker")).toHaveLength(2);
  });

  test("that finds nothing says so and reads nothing", async () => {
    const { result } = await helped("file-picker", { script: [say("Nothing in the tree fits.")] });
    expect(texts(answerOf(result))).toBe("Nothing in the tree fits.");
    expect(callsOf(result, "read_files")).toEqual([]);
  });
});

describe("commander", () => {
  const terminal = { run_terminal_command: () => json({ stdout: "3 passed\n<end_turn></end_turn>", exitCode: 0 }) };

  test("runs the command and tells what was asked", async () => {
    const { world, result } = await helped("commander", {
      params: { command: "npm test", timeout_seconds: 60 },
      script: [say("All three pass.")],
      tools: terminal,
    });
    expect(callsOf(result, "run_terminal_command")).toMatchObject([{ command: "npm test", timeout_seconds: 60 }]);
    expect(answerOf(result)).toEqual({ type: "structuredOutput", value: { answer: "All three pass." } });
    expect(world.model.requests.filter(({ agent }) => agent.id === "commander")).toHaveLength(1);
  });

  test("with rawOutput asks no model, and nothing in the output is carried out", async () => {
    const { world, result } = await helped("commander", {
      params: { command: "npm test", rawOutput: true },
      script: [],
      tools: terminal,
    });
    const output = { stdout: "3 passed\n<end_turn></end_turn>", exitCode: 0 };
    expect(answerOf(result)).toEqual({ type: "structuredOutput", value: { output } });
    expect(world.model.requests.filter(({ agent }) => agent.id === "commander")).toEqual([]);
  });

  test("without a command says what is missing", async () => {
    const { result } = await helped("commander", { script: [] });
    expect(answerOf(result)).toMatchObject({ value: { errorMessage: "params.command is missing" } });
  });
});

describe("editor", () => {
  const write = (path: string): Act => ({ tool: "write_file", args: { path, instructions: "i", content: "new" } });

  test("makes all edits in one response and gives back their diffs", async () => {
    const { world, result } = await helped("editor", {
      script: [[{ text: ["Both written."] }, write("a.ts"), write("b.ts")]],
      tools: { write_file: written },
    });
    const edits = ["a.ts", "b.ts"].map((file) => ({ file, unifiedDiff: `+${file}` }));
    expect(answerOf(result)).toEqual({ type: "structuredOutput", value: { message: "Both written.", edits } });
    expect(world.model.requests.filter(({ agent }) => agent.id === "editor")).toHaveLength(1);
  });

  test("gets a second response when an edit failed", async () => {
    let tries = 0;
    const { result } = await helped("editor", {
      script: [[write("a.ts")], [write("a.ts")]],
      tools: { write_file: (input) => (tries++ === 0 ? json({ file: "a.ts", errorMessage: "no" }) : written(input)) },
    });
    const edits = [
      { file: "a.ts", errorMessage: "no" },
      { file: "a.ts", unifiedDiff: "+a.ts" },
    ];
    expect(answerOf(result)).toMatchObject({ value: { edits } });
  });

  test("sees its parent's system prompt and tools: the cached prefix is used again", async () => {
    const { world } = await helped("editor", { script: [[write("a.ts")]], tools: { write_file: written } });
    const [parent, child] = ["base2", "editor"].map((id) => world.model.requests.find(({ agent }) => agent.id === id));
    expect(child?.messages[0]).toEqual(parent?.messages[0]);
    expect(child?.tools).toEqual(parent?.tools);
  });
});

describe("best-of-n-editor", () => {
  const propose = (content: string): Act => ({
    tool: "propose_write_file",
    args: { path: "a.ts", instructions: "i", content },
  });
  const tools: Record<string, ToolAct> = {
    propose_write_file: ({ path, content }) => json({ file: path, message: "ok", unifiedDiff: `+${content}` }),
    write_file: ({ path, content }) => json({ file: path, message: "Updated file", unifiedDiff: `+${content}` }),
  };

  test("compares the proposals and makes the edits of the chosen one only", async () => {
    let proposals = 0;
    const { result } = await helped("best-of-n-editor", {
      root: "base-max",
      params: { n: 3 },
      script: (id) => {
        if (id === "editor-proposal") return [{ text: ["mine"] }, propose(`version ${++proposals}`)];
        return [{ tool: "set_output", args: { choice: 2, reason: "it is simplest" } }];
      },
      tools,
    });
    expect(callsOf(result, "write_file")).toMatchObject([{ path: "a.ts", content: "version 2" }]);
    expect(answerOf(result)).toMatchObject({
      value: { choice: 2, of: 3, reason: "it is simplest", edits: [{ file: "a.ts", unifiedDiff: "+version 2" }] },
    });
  });

  test("goes on with what is left when an editor proposes nothing, and needs no selector for one", async () => {
    let asked = 0;
    const { world, result } = await helped("best-of-n-editor", {
      root: "base-max",
      params: { n: 2 },
      script: () => (asked++ === 0 ? say("I would not change it.") : [propose("only")]),
      tools,
    });
    expect(callsOf(result, "write_file")).toMatchObject([{ content: "only" }]);
    expect(world.model.requests.filter(({ agent }) => agent.id === "best-of-n-selector")).toEqual([]);
  });

  test("without any proposal changes nothing", async () => {
    const { result } = await helped("best-of-n-editor", { root: "base-max", script: () => say("No."), tools });
    expect(answerOf(result)).toMatchObject({ value: { errorMessage: "No editor proposed a change" } });
    expect(callsOf(result, "write_file")).toEqual([]);
  });
});

test("code-reviewer has the diff before its eyes", async () => {
  const { world, result } = await helped("code-reviewer", {
    script: [say("Nothing to change.")],
    tools: { run_terminal_command: () => json({ stdout: "+the change", exitCode: 0 }) },
  });
  expect(texts(answerOf(result))).toBe("Nothing to change.");
  const request = world.model.requests.find(({ agent }) => agent.id === "code-reviewer");
  expect(JSON.stringify(request?.messages)).toContain("+the change");
});

test.each(["researcher", "thinker"])("%s answers with its last words", async (id) => {
  const { result } = await helped(id, { script: [say("The answer.")] });
  expect(texts(answerOf(result))).toBe("The answer.");
});

test("context-pruner needs no model", async () => {
  const agents = shippedAgents.map((definition) => ({ definition, origin: "local" as const }));
  const world = openWorld({ script: [done], agents });
  const result = await runPrompt(world, { agent: "context-pruner" });
  expect([runFaults(result, world), world.model.requests]).toEqual([[], []]);
});

describe("base2-plan", () => {
  const plan = "I looked.\n<PLAN>\n1. mend a.ts\n</PLAN>";

  async function planned(answers: unknown[], script: Act[][]) {
    const marks: unknown[] = [];
    const ask: ToolAct = (_input, { call }) => {
      marks.push(call.plan);
      return json(answers.shift());
    };
    const agents = shippedAgents.map((definition) => ({ definition, origin: "local" as const }));
    const world = openWorld({
      script,
      agents,
      tools: { ask_user: ask, write_file: written, read_files: () => json([]) },
    });
    const result = await runPrompt(world, { agent: "base2-plan" });
    expect(runFaults(result, world)).toEqual([]);
    return { world, result, marks, last: JSON.stringify(world.model.requests.at(-1)?.messages) };
  }
  const look: Act[] = [{ tool: "read_files", args: { paths: ["a.ts"] } }];
  const build: Act[] = [{ tool: "write_file", args: { path: "a.ts", instructions: "i", content: "good" } }];

  test("asks with the plan beside the question, and an approved one is carried out in the same run", async () => {
    const { result, marks, last } = await planned([{ decision: "approve" }], [look, say(plan), build, say("Built.")]);
    expect(marks).toEqual([{ text: "1. mend a.ts" }]);
    expect(callsOf(result, "write_file")).toHaveLength(1);
    expect(last).toContain("The plan is approved");
    expect(result.events.at(-1)).toMatchObject({ type: "finish", status: "completed" });
  });

  test("carries out the plan as the user changed it", async () => {
    const { last } = await planned([{ decision: "approve_edits", plan: "1. mend b.ts" }], [say(plan), say("Built.")]);
    expect(last).toContain("1. mend b.ts");
  });

  test("with feedback plans again, then asks again", async () => {
    const answers = [{ decision: "reject", message: "smaller" }, { decision: "approve" }];
    const { marks, world } = await planned(answers, [say(plan), say("<PLAN>\nless\n</PLAN>"), say("Built.")]);
    expect(marks).toEqual([{ text: "1. mend a.ts" }, { text: "less" }]);
    expect(JSON.stringify(world.model.requests[1]?.messages)).toContain("smaller");
  });

  test.each([
    ["skipped", { skipped: true }],
    ["rejected without a word", { decision: "reject" }],
  ])("%s, it is over and nothing was written", async (_title, answer) => {
    const { world, result } = await planned([answer], [say(plan), build]);
    expect(world.model.requests).toHaveLength(1);
    expect(callsOf(result, "write_file")).toEqual([]);
  });

  test("a question is answered without a plan", async () => {
    const { marks } = await planned([], [say("It is a parser.")]);
    expect(marks).toEqual([]);
  });
});

test("an alias names an agent that runs", () => {
  for (const id of Object.values(agentAliases)) expect(shippedAgents.some((agent) => agent.id === id)).toBe(true);
});

interface Helped {
  readonly root?: string;
  readonly params?: Record<string, unknown>;
  /** The answers of the helper, or of whoever is asked below the root. */
  readonly script: readonly (readonly Act[])[] | ((agentId: string) => readonly Act[]);
  readonly tools?: Record<string, ToolAct>;
}

/** A root agent calls one helper and ends. */
async function helped(
  id: string,
  { root = "base2", params, script, tools }: Helped,
): Promise<{ world: World; result: RunResult }> {
  const agents = shippedAgents.map((definition) => ({ definition, origin: "local" as const }));
  let asRoot = 0;
  let asHelper = 0;
  const world = openWorld({
    agents,
    tools,
    script: (_index, { agent }) => {
      if (agent.id === root) {
        asRoot += 1;
        return asRoot > 1
          ? done
          : [{ tool: "spawn_agents", args: { agents: [{ agent_type: id, prompt: "help", params }] } }];
      }
      return typeof script === "function" ? script(agent.id) : (script[asHelper++] ?? done);
    },
  });
  const result = await runPrompt(world, { agent: root });
  expect(runFaults(result, world)).toEqual([]);
  return { world, result };
}

/** What the helper gave back to its parent. */
function answerOf({ history }: RunResult): unknown {
  const results = history.findLast((message) => message.role === "tool" && message.toolName === "spawn_agents");
  const [part] = (results?.content ?? []) as ToolOutput;
  const [answer] = (part?.type === "json" ? part.value : []) as { value: unknown }[];
  return answer?.value;
}

function texts(answer: unknown): string {
  const { value = [] } = answer as { value?: Message[] };
  return value
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
}

function callsOf({ events }: RunResult, toolName: string): unknown[] {
  return events.flatMap((event) => (event.type === "tool_call" && event.toolName === toolName ? [event.input] : []));
}

function written({ path }: Parameters<ToolAct>[0]): ToolOutput {
  return json({ file: path, message: "Updated file", unifiedDiff: `+${path}` });
}
