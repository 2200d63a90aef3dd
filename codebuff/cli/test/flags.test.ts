import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, type World } from "./command.ts";

let world: World;
beforeAll(async () => {
  const write = { path: "made.txt", instructions: "make it", content: "made\n" };
  world = await openWorld(
    {
      conversations: [
        {
          match: { firstUser: "write a file" },
          each: "prompt",
          turns: [
            { text: "I write.", tools: [{ name: "write_file", native: true, input: write }] },
            { text: "Written." },
          ],
        },
        {
          match: { firstUser: "structured" },
          each: "prompt",
          turns: [{ tools: [{ name: "set_output", native: true, input: { answer: 42 } }] }, { text: "done" }],
        },
        {
          match: { firstUser: "loop" },
          turns: [
            { text: "again", tools: [{ name: "list_directory", native: true, input: { path: "." } }], times: "always" },
          ],
        },
        { each: "prompt", turns: [{ text: ["Hello", " there", "."] }] },
      ],
    },
    { "a.txt": "alpha\n" },
  );
});
afterAll(() => world.close());

describe("what goes to standard output", () => {
  it("-n: the answer alone; what was done and what it cost go to standard error", async () => {
    const { code, out, err } = await world.run(["-n", "write a file"]);
    expect({ code, out }).toEqual({ code: 0, out: "I write.\n\nWritten.\n" });
    expect(err).toMatch(/^\n✓ write_file made\.txt \d+/);
    expect(err).toMatch(/· \$0\.\d+\n$/);
    expect(await readFile(join(world.project, "made.txt"), "utf8")).toBe("made\n");
  });

  it("-n -q: the last answer and nothing else", async () => {
    expect(await world.run(["-n", "-q", "hi"])).toMatchObject({ code: 0, out: "Hello there.\n", err: "" });
  });

  it("--json: one object", async () => {
    const { code, out } = await world.run(["--json", "hi"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({
      type: "result",
      agentId: "base2",
      model: "anthropic/claude-sonnet-4.6",
      mode: "DEFAULT",
      text: "Hello there.",
      isError: false,
      steps: 1,
      output: { type: "lastMessage" },
      totalCostUsd: expect.any(Number),
    });
  });

  it("--stream-json: start first, deltas, finish last; nothing but JSON", async () => {
    const { code, out, lines } = await world.run(["--stream-json", "hi"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(lines.length);
    expect(lines.map(({ type }) => type)).toEqual(["start", "text", "text", "text", "finish"]);
    expect(lines.map(({ text }) => text ?? "").join("")).toBe("Hello there.");
    expect(lines[0]).toMatchObject({ sessionId: expect.any(String), agentId: "base2", messageHistoryLength: 0 });
    expect(lines.at(-1)).toMatchObject({ status: "completed", totalCost: expect.any(Number) });
  });

  it("--stream-json -q: one text per block", async () => {
    const { lines } = await world.run(["--stream-json", "-q", "hi"]);
    expect(lines.map(({ type }) => type)).toEqual(["start", "text", "finish"]);
    expect(lines[1]?.text).toBe("Hello there.");
  });
});

describe("the prompt", () => {
  it.each([[["-n"]], [["-n", "-"]]])("comes from standard input with %j", async (args) => {
    expect(await world.run(args, { stdin: "hi\n" })).toMatchObject({ code: 0, out: "Hello there.\n" });
  });

  it("may be several words", async () => {
    await world.run(["-n", "several", "words"]);
    expect(JSON.stringify(world.llm.requests().at(-1)?.body)).toContain("several words");
  });
});

describe("modes", () => {
  it.each([
    [[], "base2"],
    [["--free"], "base-free"],
    [["--lite"], "base-free"],
    [["--max"], "base-max"],
    [["--plan"], "base2-plan"],
    [["--agent", "ask"], "ask"],
  ])("%j runs %s", async (flags, agentId) => {
    const { lines, code } = await world.run([...flags, "--stream-json", "hi"]);
    expect([code, lines[0]?.agentId]).toEqual([0, agentId]);
  });

  it("--plan: a file is not written, whatever the model says", async () => {
    const other = await openWorld({
      conversations: [
        {
          turns: [
            {
              tools: [
                { name: "write_file", native: true, input: { path: "no.txt", instructions: "", content: "no\n" } },
              ],
            },
            { text: "Not allowed." },
          ],
        },
      ],
    });
    const { code, lines } = await other.run(["--plan", "--stream-json", "write"]);
    expect(code).toBe(0);
    expect(JSON.stringify(lines.find(({ type }) => type === "tool_result"))).toContain("errorMessage");
    expect(await readdir(other.project)).toEqual([]);
    await other.close();
  });
});

describe("what the model is sent", () => {
  const lastBody = () => JSON.stringify(world.llm.requests().at(-1)?.body);

  it("--append-system-prompt", async () => {
    await world.run(["-n", "--append-system-prompt", "Speak like a pirate.", "hi"]);
    expect(lastBody()).toContain("Speak like a pirate.");
  });

  it("--model and --variant", async () => {
    const { lines } = await world.run([
      "--stream-json",
      "--model",
      "anthropic/claude-opus-4.6",
      "--variant",
      "high",
      "hi",
    ]);
    expect(lines[0]?.model).toBe("anthropic/claude-opus-4.6");
    expect(lastBody()).toContain("claude-opus-4-6");
    expect(lastBody()).toMatch(/thinking|effort/);
  });

  it("--params", async () => {
    await world.run(["-n", "--params", '{"depth":"very deep"}', "hi"]);
    expect(lastBody()).toContain("very deep");
  });

  it("--cwd is where tools work", async () => {
    const { code } = await world.run(["-n", "--cwd", world.project, "write a file"], { cwd: world.home });
    expect(code).toBe(0);
    expect(await readdir(world.home)).not.toContain("made.txt");
  });
});

it("--output-schema: the answer is a value that fits", async () => {
  const other = await openWorld(
    {
      conversations: [
        {
          turns: [
            { tools: [{ name: "set_output", native: true, input: { answer: "many" } }] },
            { tools: [{ name: "set_output", native: true, input: { answer: 42 } }] },
            { text: "done" },
          ],
        },
      ],
    },
    { "schema.json": '{"type":"object","properties":{"answer":{"type":"number"}},"required":["answer"]}' },
  );
  const { code, out } = await other.run(["--json", "--output-schema", "schema.json", "how many?"]);
  expect(JSON.parse(out)).toMatchObject({
    output: { type: "structuredOutput", value: { answer: 42 } },
    isError: false,
  });
  expect(code).toBe(0);
  await other.close();
});

it("--max-steps: the run pauses, says so and is no success", async () => {
  const { code, lines } = await world.run(["--stream-json", "--max-steps", "2", "loop"]);
  expect(lines.at(-1)).toMatchObject({ type: "finish", status: "max_steps", steps: 2 });
  expect(code).toBe(1);
});

it("--budget: no request is sent beyond it", async () => {
  const { code, lines } = await world.run(["--stream-json", "--budget", "0.000001", "loop"]);
  expect(lines.find(({ type, fatal }) => type === "error" && fatal === true)).toMatchObject({
    code: "budget_exceeded",
  });
  expect(lines.at(-1)).toMatchObject({ type: "finish", status: "failed", steps: 1 });
  expect(code).toBe(1);
});

describe("--continue", () => {
  it("goes on with the latest session of this directory, or with a named one", async () => {
    const first = await world.run(["--stream-json", "--session-id", "mine", "hi"]);
    expect(first.lines[0]).toMatchObject({ sessionId: "mine" });
    const named = await world.run(["--stream-json", "--continue", "mine", "again"]);
    expect(named.lines[0]).toMatchObject({ sessionId: "mine", messageHistoryLength: 3 });
    const latest = await world.run(["--stream-json", "--continue", "once more"]);
    expect(latest.lines[0]).toMatchObject({ sessionId: "mine", messageHistoryLength: 5 });
  });

  it("an id that is taken, and one that is not there", async () => {
    expect(await world.run(["-n", "--session-id", "mine", "hi"])).toMatchObject({
      code: 1,
      out: "",
      err: "codebuff: There is already a session mine\n",
    });
    const { code, lines } = await world.run(["--stream-json", "--continue", "nobody", "hi"]);
    expect(code).toBe(2);
    expect(lines).toEqual([{ type: "error", code: "session_not_found", message: "No session nobody", fatal: true }]);
  });
});

describe("sessions", () => {
  it("are listed, shown, forked, exported and deleted", async () => {
    await world.run(["-n", "--session-id", "talk", "hi"]);
    expect((await world.run(["sessions", "list"])).out).toMatch(/^talk +\d{4}-\d\d-\d\d \d\d:\d\d +DEFAULT +hi$/m);
    expect(JSON.parse((await world.run(["sessions", "list", "--json"])).out)[0]).toMatchObject({
      id: "talk",
      title: "hi",
    });
    expect((await world.run(["sessions", "show", "talk"])).out).toContain("## You\n\nhi\n\nHello there.");
    const forked = (await world.run(["sessions", "fork", "talk"])).out.trim();
    expect((await world.run(["--stream-json", "--continue", forked, "and"])).lines[0]).toMatchObject({
      sessionId: forked,
      messageHistoryLength: 3,
    });
    expect((await world.run(["sessions", "export", "talk", "--format", "html"])).out).toMatch(/^<!doctype html>/i);
    const exported = await world.run(["sessions", "export", "talk", "--format", "json", "-o", "talk.json"]);
    expect(exported).toMatchObject({ code: 0, out: "" });
    expect(JSON.parse(await readFile(join(world.project, "talk.json"), "utf8"))).toMatchObject({ title: "hi" });
    expect(await world.run(["sessions", "delete", "talk", "nobody"])).toMatchObject({
      code: 2,
      err: "codebuff: No session nobody\n",
    });
    expect((await world.run(["sessions", "show", "talk"])).code).toBe(0);
    expect(await world.run(["sessions", "delete", "talk"])).toMatchObject({ code: 0, err: "Deleted talk\n" });
    expect(await world.run(["sessions", "show", "talk"])).toMatchObject({
      code: 2,
      err: "codebuff: No session talk\n",
    });
  });
});

describe("lists and texts", () => {
  it("--list-models tells what can be used and why the rest cannot", async () => {
    const { code, out } = await world.run(["--list-models", "--json"]);
    const models = JSON.parse(out) as { id: string; provider: string; usable: boolean; reason?: string }[];
    expect(code).toBe(0);
    expect(models.filter(({ provider }) => provider === "anthropic").every(({ usable }) => usable)).toBe(true);
    expect(models.find(({ provider }) => provider === "openai")?.reason).toBe("OPENAI_API_KEY is not set");
  });

  it("--list-agents", async () => {
    const agents = JSON.parse((await world.run(["--list-agents", "--json"])).out) as { id: string; source: string }[];
    expect(agents).toContainEqual(expect.objectContaining({ id: "base2", source: "shipped" }));
  });

  it("--version and --help", async () => {
    expect(await world.run(["--version"])).toMatchObject({ code: 0, out: "0.1.0\n", err: "" });
    const { code, out } = await world.run(["--help"]);
    expect(code).toBe(0);
    for (const word of ["--stream-json", "--continue [id]", "Exit codes", "sessions", "doctor"])
      expect(out).toContain(word);
  });

  it("--clear-logs", async () => {
    expect(await world.run(["--clear-logs"])).toMatchObject({ code: 0, out: "" });
  });

  it("doctor has a line for each thing and says what to do", async () => {
    const { code, out } = await world.run(["doctor"]);
    expect(code).toBe(0);
    for (const subject of ["keys", "login", "models", "git", "ripgrep", "terminal", "plan"]) {
      expect(out).toMatch(new RegExp(`^✓ ${subject}`, "m"));
    }
    const none = await world.run(["doctor", "--json"], { env: { ANTHROPIC_API_KEY: undefined } });
    expect(none.code).toBe(1);
    expect(JSON.parse(none.out)).toContainEqual(
      expect.objectContaining({ subject: "models", ok: false, remedy: expect.stringContaining("--demo") }),
    );
  });
});

describe("--demo", () => {
  it("needs no key, and writes nothing where nobody can be asked", async () => {
    const { code, out } = await world.run(["--demo", "show me"], { env: { ANTHROPIC_API_KEY: undefined } });
    expect(code).toBe(0);
    expect(out).toContain("nothing was written");
    expect(await readdir(world.project)).not.toContain("codebuff-demo.md");
  });

  it("writes when it is allowed", async () => {
    const { code } = await world.run(["--demo", "--permissions", "allow", "show me"]);
    expect(code).toBe(0);
    expect(await readdir(world.project)).toContain("codebuff-demo.md");
  });
});
