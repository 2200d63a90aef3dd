import {
  AgentDefinition,
  type AgentModeCall,
  type AgentModeResult,
  AgentModeServerMessage,
  type AgentState,
  emptyAgentState,
  messageTokens,
} from "@muster/codebuff-protocol";
import { describe, expect, test } from "vitest";
import type { Chunk, Clock, ModelRequest, RunEnd } from "../ports.ts";
import { readResultsXml } from "../xml/results.ts";
import { type AgentModeSession, handleAgentPrompt, newerState } from "./handle-agent-prompt.ts";
import { runAgentTask } from "./run-agent-task.ts";

const agent = AgentDefinition.parse({
  id: "agent-mode",
  displayName: "Agent mode",
  model: "vendor/model",
  toolNames: [
    ...["run_terminal_command", "read_files", "write_file", "code_search"],
    ...["add_subgoal", "update_subgoal", "end_turn"],
  ],
  toolCallFormat: "xml",
});
const addGoal =
  "<add_subgoal>\n<id>g1</id>\n<objective>tests pass</objective>\n<status>IN_PROGRESS</status>\n</add_subgoal>\n";
const endTurn = "<end_turn></end_turn>";

test("a task from subgoal to edit to end: messages in order, subgoals in the state, the file changed", async () => {
  const machine = new Machine({ "npm test": [failed("1 failing"), "1 passing"] });
  const world = new World([
    `I plan.\n${addGoal}`,
    `Now I run the tests.\n${command("npm test")}`,
    "I mend it.\n<write_file>\n<path>a.ts</path>\n<instructions>mend</instructions>\n<content>\ngood\n</content>\n</write_file>",
    command("npm test"),
    `<update_subgoal>\n<id>g1</id>\n<status>COMPLETE</status>\n</update_subgoal>\nAll tests pass now.\n${endTurn}`,
  ]);
  const end = await world.run("make tests pass", machine);
  expect(end).toMatchObject({ type: "completed", ended: true, response: "All tests pass now." });
  expect(machine.files).toEqual({ "a.ts": "good" });
  expect(machine.commands).toEqual(["npm test", "npm test"]);
  expect(end.state.subgoals).toEqual({
    g1: { objective: "tests pass", status: "COMPLETE", plan: undefined, logs: [] },
  });
  expect(world.kinds()).toEqual([
    ...["chunk", "chunk", "state", "request", "chunk", "state", "request", "chunk", "state", "request"],
    ...["chunk", "state", "complete"],
  ]);
  expect(world.ends).toMatchObject([{ status: "completed", totalSteps: 5, total: { millicredits: 50, known: true } }]);
});

test("every message is of the shared schema", async () => {
  const world = new World([`x\n${addGoal}`, command("ls"), "done"]);
  await world.run("go", new Machine({}));
  for (const message of world.sent) expect(AgentModeServerMessage.safeParse(message).error).toBeUndefined();
});

test("a program that runs on is stopped by a signal and the same shell goes on", async () => {
  const machine = new Machine({});
  machine.running = "npm run dev";
  const world = new World([
    command("npm run dev"),
    "It runs; I stop it.\n<run_terminal_command>\n<command_signal>CTRL_C</command_signal>\n</run_terminal_command>",
    command("pwd"),
    "Done.",
  ]);
  await world.run("try the server", machine);
  const results = world.results();
  expect(results.map(({ status }) => status)).toEqual(["running", "completed", "completed"]);
  expect(results.map(({ result }) => result)).toEqual(["listening", "exit code: 130", "/project"]);
});

test("history: system prompt and task, then responses and one system message of results each", async () => {
  const world = new World([`a\n${addGoal}${command("ls")}`, "end"]);
  const { state } = await world.run("the task", new Machine({ ls: ["files & <dirs>"] }));
  expect(state.messageHistory.map(({ role }) => role)).toEqual(["system", "user", "assistant", "system", "assistant"]);
  expect(state.messageHistory[1]).toMatchObject({ content: [{ text: "the task" }] });
  const results = state.messageHistory[3];
  expect(results?.content).toContain("<result>files &amp; &lt;dirs&gt;</result>");
  expect(readResultsXml(String(results?.content)).map(({ name }) => name)).toEqual([
    "add_subgoal",
    "run_terminal_command",
  ]);
});

describe("stop sequences", () => {
  test("are full closing tags, the terminal's first, at most four", async () => {
    const world = new World(["done"]);
    await world.run("go", new Machine({}));
    const tags = ["run_terminal_command", "read_files", "write_file", "code_search"].map((name) => `</${name}>`);
    expect(world.requests[0]?.stop).toEqual(tags);
  });

  test.each(["stop-sequence", "stop"] as const)(
    "cut off by a provider that says %s, they are put back",
    async (reason) => {
      const text = `Look.\n${command("ls")}`;
      const whole = new World([text, "end"]);
      const cut = new World([{ text: text.replace("</run_terminal_command>", ""), reason }, "end"]);
      const one = await whole.run("go", new Machine({}));
      const other = await cut.run("go", new Machine({}));
      expect(other.state.messageHistory).toEqual(one.state.messageHistory);
      expect(cut.text()).toBe(whole.text());
    },
  );

  test("what a model writes behind a call is dropped: in history, for the client, and the stream is left", async () => {
    const world = new World([`${command("ls")}\n<tool_result>\nimagined\n</tool_result>\n${command("rm x")}`, "end"]);
    const machine = new Machine({});
    const { state } = await world.run("go", machine);
    expect(machine.commands).toEqual(["ls"]);
    expect(JSON.stringify([state, world.sent])).not.toContain("imagined");
  });

  test("one that ended a call in the middle of a line runs nothing and is explained", async () => {
    const world = new World([
      { text: "I use <run_terminal_command>\n<command>rm -rf x</command>\n", reason: "stop-sequence" },
      "end",
    ]);
    const machine = new Machine({});
    await world.run("go", machine);
    expect(machine.commands).toEqual([]);
    expect(world.results()).toMatchObject([{ status: "error", result: expect.stringMatching(/line of its own/) }]);
  });
});

test.each([
  ["bad parameters", "<read_files>\n<depth>2</depth>\n</read_files>", /depth: there is no such parameter/],
  ["a missing closing tag", "<read_files>\n<paths>a</paths>", /<\/read_files> is missing/],
  ["memory that is too large", memoryWrite(40_000), /at most 32768 bytes/],
])("a call with %s gets an error result and the loop goes on without the client", async (_title, text, message) => {
  const world = new World([{ text, reason: "length" }, "end"]);
  const machine = new Machine({});
  const end = await world.run("go", machine);
  expect(end).toMatchObject({ type: "completed", ended: false, response: "end" });
  expect(world.results()).toMatchObject([{ status: "error", result: expect.stringMatching(message) }]);
  expect([machine.calls, world.kinds().includes("request")]).toEqual([0, false]);
});

describe("answers of the client", () => {
  async function opened() {
    const world = new World([command("ls"), "end", "end"]);
    const state = await world.handle(
      { type: "agent_initial_prompt", task: "go", agentState: emptyAgentState },
      emptyAgentState,
    );
    const id = state.open?.calls[0]?.id ?? "";
    const answer = (ids: string[], agentState: AgentState = state) => ({
      type: "agent_tool_response" as const,
      agentState,
      toolResults: ids.map(
        (one): AgentModeResult => ({ id: one, name: "run_terminal_command", result: "x", status: "completed" }),
      ),
    });
    return { world, state, id, answer };
  }

  test("to other calls than the open ones are an error, and the request is sent again", async () => {
    const { world, state, id, answer } = await opened();
    for (const ids of [[], [id, "c9"], [id, id]]) {
      world.sent.length = 0;
      expect(await world.handle(answer(ids), state)).toEqual(state);
      expect(world.sent).toMatchObject([
        { type: "agent_error", code: "bad_tool_response" },
        { type: "agent_request_tool_execution", toolCalls: [{ id }] },
      ]);
    }
  });

  test("that come twice are ignored", async () => {
    const { world, state, id, answer } = await opened();
    const after = await world.handle(answer([id]), state);
    world.sent.length = 0;
    expect(await world.handle(answer([id]), after)).toEqual(after);
    expect(world.sent).toEqual([]);
  });

  test("find the task again when the server forgot everything", async () => {
    const { world, id, answer } = await opened();
    const after = await world.handle(answer([id]), emptyAgentState);
    expect(after.messageHistory.at(-1)).toMatchObject({ role: "assistant", content: [{ text: "end" }] });
  });

  test("that never came are interrupted results when the task is taken up again", async () => {
    const { world, state } = await opened();
    const after = await world.handle(
      { type: "agent_initial_prompt", task: "go on", agentState: state },
      emptyAgentState,
    );
    expect(world.results(after)).toMatchObject([{ status: "interrupted" }]);
    expect(after.messageHistory.slice(-2)).toMatchObject([{ role: "user" }, { role: "assistant" }]);
  });

  test("a new task begins anew", async () => {
    const { world, state } = await opened();
    const action = { type: "agent_initial_prompt", task: "other", newTask: true, agentState: state };
    const after = await world.handle(action, state);
    expect(after.messageHistory.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(world.ends.map(({ status }) => status)).toEqual(["cancelled", "completed"]);
  });
});

test("a message that does not fit the schema is answered with an error", async () => {
  const world = new World([]);
  expect(await world.handle({ type: "agent_initial_prompt" }, emptyAgentState)).toEqual(emptyAgentState);
  expect(world.sent).toMatchObject([{ type: "agent_error", code: "bad_message" }]);
});

test("of two states the higher revision wins", () => {
  const later = { ...emptyAgentState, revision: 4 };
  expect([newerState(later, emptyAgentState), newerState(emptyAgentState, later)]).toEqual([later, later]);
});

describe("streams that go wrong", () => {
  test("an error of the model ends the run and keeps its code", async () => {
    const world = new World([{ error: { code: "out_of_credits", message: "no credits" } }]);
    expect(await world.run("go", new Machine({}))).toMatchObject({ type: "failed", code: "out_of_credits" });
    expect(world.ends).toMatchObject([{ status: "failed", errorMessage: "no credits" }]);
  });

  test("a cut in the text: the model is told to go on", async () => {
    const world = new World([{ text: "I was about to", cut: true }, "done"]);
    expect(await world.run("go", new Machine({}))).toMatchObject({ type: "completed", response: "done" });
    expect(world.results()).toMatchObject([{ status: "interrupted", result: expect.stringMatching(/cut off/) }]);
  });

  test("a silent stream is taken for cut; empty answers are tried again, then it is an error", async () => {
    const world = new World([{ silent: true }, { silent: true }, { silent: true }]);
    expect(await world.run("go", new Machine({}))).toMatchObject({ type: "failed", code: "empty_answer" });
    expect(world.requests).toHaveLength(3);
  });

  test("an abort in a silent stream ends the run as cancelled and leaves no partial answer", async () => {
    const abort = new AbortController();
    const world = new World([{ text: "partial", hang: true }], abort);
    world.onSend = (message) => {
      if (message.type === "agent_response_chunk") abort.abort();
    };
    const end = await world.run("go", new Machine({}));
    expect(end).toMatchObject({ type: "failed", code: "cancelled" });
    expect(end.state.messageHistory.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(world.ends).toMatchObject([{ status: "cancelled" }]);
  });

  test("steps that never reach the client have an end", async () => {
    const world = new World(Array.from({ length: 100 }, () => addGoal));
    expect(await world.run("go", new Machine({}))).toMatchObject({ type: "failed", code: "max_steps" });
  });
});

test("memory: the index stands in the prompt, other notes by name", async () => {
  const world = new World(["done"]);
  world.memory = { readIndex: async () => "the build needs Node 20", names: async () => ["index.md", "deploy.md"] };
  const { state } = await world.run("go", new Machine({}));
  const prompt = state.messageHistory[0]?.content;
  expect(prompt).toContain("the build needs Node 20");
  expect(prompt).toContain("Other notes: deploy.md");
});

test("500 terminal calls of 20 kB: no request over budget, task and subgoals still there", async () => {
  const window = 100_000;
  const script = Array.from({ length: 500 }, (_, index) => `Step ${index}.\n${command(`run ${index}`)}`);
  const world = new World([`I plan.\n${addGoal}`, ...script, "done"]);
  world.window = window;
  const machine = new Machine({});
  machine.output = "line of output\n".repeat(1_365);
  const end = await world.run("make tests pass, and keep the word MAGNOLIA", machine);
  expect(end).toMatchObject({ type: "completed", response: "done" });
  expect(machine.calls).toBe(500);
  for (const { messages, maxTokens } of world.requests) {
    const tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0);
    expect(tokens + maxTokens).toBeLessThanOrEqual(window);
  }
  const last = JSON.stringify(world.requests.at(-1)?.messages);
  for (const fact of ["MAGNOLIA", "tests pass", "g1", "run 499"]) expect(last).toContain(fact);
}, 60_000);

type Answer =
  | string
  | { text: string; reason?: Extract<Chunk, { type: "finish" }>["reason"]; cut?: boolean; hang?: boolean }
  | { silent: true }
  | { error: { code: string; message: string } };

/** A scripted model, a virtual clock, a ledger that remembers; what the client is sent is kept. */
class World {
  readonly sent: AgentModeServerMessage[] = [];
  readonly requests: ModelRequest[] = [];
  readonly ends: RunEnd[] = [];
  window = 200_000;
  memory: AgentModeSession["memory"];
  onSend: (message: AgentModeServerMessage) => void = () => undefined;
  readonly #script: Answer[];
  readonly #abort: AbortController;
  #ids = 0;
  #last: AgentState = emptyAgentState;

  constructor(script: Answer[], abort = new AbortController()) {
    this.#script = script;
    this.#abort = abort;
  }

  async run(task: string, machine: Machine) {
    const end = await runAgentTask({
      task,
      state: emptyAgentState,
      exchange: async (message, receive) => {
        this.#last = await this.handle(message, emptyAgentState, receive);
      },
      execute: (call) => machine.execute(call),
      onMessage: () => undefined,
    });
    this.#last = end.state;
    return end;
  }

  async handle(
    action: unknown,
    state: AgentState,
    receive: (message: AgentModeServerMessage) => void = () => undefined,
  ) {
    const send = (message: AgentModeServerMessage) => {
      this.sent.push(message);
      this.onSend(message);
      receive(message);
    };
    const session = { state, agent, memory: this.memory, send, signal: this.#abort.signal };
    return await handleAgentPrompt(action, session, {
      model: { stream: (request, signal) => this.#stream(request, signal), contextWindow: () => this.window },
      clock: this.#clock(),
      ledger: {
        start: async () => ({ runId: "run" }),
        step: () => undefined,
        finish: (_id, end) => void this.ends.push(end),
      },
      log: { write: async () => undefined, warn: () => undefined },
    });
  }

  /** Every wait is over after 20 ms, and then as much time has passed as was waited for. */
  #clock(): Clock {
    let now = 0;
    return {
      now: () => now,
      async sleep(ms, signal) {
        await virtualSleep(signal);
        now += ms;
      },
      newId: () => `c${++this.#ids}`,
    };
  }

  async *#stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Chunk> {
    this.requests.push(request);
    const answer = this.#script[this.requests.length - 1];
    if (answer === undefined) throw new Error("the script is over");
    if (typeof answer === "object" && "error" in answer) {
      yield { type: "error", ...answer.error };
      return;
    }
    if (typeof answer === "object" && "silent" in answer) return await forever(signal);
    const { text, reason = "stop", cut = false, hang = false } = typeof answer === "string" ? { text: answer } : answer;
    yield { type: "text-delta", text };
    if (hang) return await forever(signal);
    if (!cut) yield { type: "finish", reason, usage: {}, cost: { millicredits: 10, known: true } };
  }

  kinds(): string[] {
    return this.sent.map(({ type }) =>
      type.replace(/agent_(?:response_|request_|turn_)?/, "").replace("tool_execution", "request"),
    );
  }

  text(): string {
    return this.sent.flatMap((message) => (message.type === "agent_response_chunk" ? [message.chunk] : [])).join("");
  }

  results(state = this.#last): AgentModeResult[] {
    return state.messageHistory
      .slice(1)
      .flatMap((message) => (message.role === "system" ? readResultsXml(message.content) : []));
  }
}

/** Tools in memory: a terminal that answers by a table, and files. */
class Machine {
  readonly files: Record<string, string> = {};
  readonly commands: string[] = [];
  calls = 0;
  running: string | undefined;
  output = "/project";
  readonly #answers: Record<string, string[]>;

  constructor(answers: Record<string, string[]>) {
    this.#answers = answers;
  }

  async execute({ id, name, params }: AgentModeCall): Promise<AgentModeResult> {
    this.calls += 1;
    const done = (result: string, status: AgentModeResult["status"] = "completed") => ({ id, name, result, status });
    if (name === "write_file") {
      this.files[String(params.path)] = String(params.content);
      return done("written");
    }
    if (params.command_signal === "CTRL_C") return done("exit code: 130");
    const text = String(params.command);
    this.commands.push(text);
    if (text === this.running) return done("listening", "running");
    return done(this.#answers[text]?.shift() ?? this.output);
  }
}

/** Time passes at once, but after everything that is ready to run. */
function virtualSleep(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 20);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

function forever(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
}

function command(text: string): string {
  return `<run_terminal_command>\n<command>${text}</command>\n</run_terminal_command>`;
}

function failed(text: string): string {
  return `exit code: 1\n${text}`;
}

function memoryWrite(size: number): string {
  const content = "x".repeat(size);
  return `<write_file>\n<path>.codebuff/memory/a.md</path>\n<instructions>note</instructions>\n<content>${content}</content>\n</write_file>`;
}
