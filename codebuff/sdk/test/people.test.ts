import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Ask, Steering } from "../src/index.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const question = { questions: [{ question: "Tea or coffee?", options: [{ label: "Tea" }, { label: "Coffee" }] }] };

it("a question waits for its answer; without anybody to ask it is skipped", async () => {
  const turns = [{ tools: [call("ask_user", question)] }, { text: "ok" }];
  const asked: Ask[] = [];
  const world = await runWorld(turns, {
    options: {
      ask: async (ask) => {
        asked.push(ask);
        return { answers: [{ questionIndex: 0, selectedOption: "Tea" }] };
      },
    },
  });
  await world.run();
  expect(asked).toMatchObject([{ agentId: "main-agent", input: { questions: [{ question: "Tea or coffee?" }] } }]);
  expect(resultOf(world.events, "ask_user")).toEqual({ answers: [{ questionIndex: 0, selectedOption: "Tea" }] });
  const alone = await runWorld(turns);
  await alone.run();
  expect(resultOf(alone.events, "ask_user")).toEqual({ skipped: true });
});

it("an override answers questions as in the original", async () => {
  const world = await runWorld([{ tools: [call("ask_user", question)] }, { text: "ok" }], {
    options: {
      overrideTools: {
        ask_user: async () => [{ type: "json", value: { answers: [{ questionIndex: 0, selectedOption: "Coffee" }] } }],
      },
    },
  });
  await world.run();
  expect(resultOf(world.events, "ask_user")).toEqual({ answers: [{ questionIndex: 0, selectedOption: "Coffee" }] });
});

it("a permission is an ask_user pair of its own, beside the call, with the diff, and outside of the history", async () => {
  const edit = call("str_replace", { path: "a.txt", replacements: [{ old: "one", new: "two" }] });
  const world = await runWorld([{ tools: [edit] }, { tools: [edit] }, { text: "ok" }], {
    files: { "a.txt": "one\n" },
    options: {
      permissions: "default",
      ask: async ({ permission }) =>
        permission === undefined
          ? { skipped: true }
          : { decision: world.events.filter(isAsked).length === 1 ? "deny" : "once", message: "not now" },
    },
  });
  const isAsked = (event: { type: string; toolName?: unknown }) =>
    event.type === "tool_call" && event.toolName === "ask_user";
  const { sessionState } = await world.run();
  const asks = world.events.filter(isAsked);
  expect(asks).toHaveLength(2);
  const editId = world.events.find(
    (event) => event.type === "tool_call" && event.toolName === "str_replace",
  )?.toolCallId;
  expect(asks[0]).toMatchObject({
    toolCallId: `ask-${String(editId)}`,
    permission: { toolCallId: editId, action: "edit", diff: expect.stringContaining("+two") },
  });
  expect(asks[0]?.input).not.toHaveProperty("permission");
  expect(resultOf(world.events, "str_replace", 0)).toMatchObject({ errorMessage: expect.stringContaining("not now") });
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("two\n");
  expect(JSON.stringify(sessionState?.mainAgentState.messageHistory)).not.toContain("ask-");
});

it("without permissions everything runs at once but what destroys outside of the project", async () => {
  const world = await runWorld([
    {
      tools: [
        call("run_terminal_command", { command: "rm -rf /usr/share/nothing-here" }),
        call("run_terminal_command", { command: "echo fine" }),
      ],
    },
    { text: "ok" },
  ]);
  await world.run();
  expect(resultOf(world.events, "run_terminal_command", 0)).toMatchObject({ errorMessage: expect.any(String) });
  expect(resultOf(world.events, "run_terminal_command", 1)).toMatchObject({ exitCode: 0 });
});

it("PLAN: nothing is written before the plan is approved; then the same run goes on and writes", async () => {
  const write = call("write_file", { path: "new.txt", instructions: "x", content: "made\n" });
  const world = await runWorld(
    [
      { tools: [write] },
      { text: "<PLAN>Write new.txt</PLAN>" },
      { tools: [write] },
      { text: "Done." },
      { text: "Done.", times: "always" },
    ],
    { options: { ask: async ({ plan }) => (plan === undefined ? { skipped: true } : { decision: "approve" }) } },
  );
  const { output } = await world.client.run({ mode: "PLAN", prompt: "make new.txt" });
  expect(output.type).toBe("lastMessage");
  expect(resultOf(world.events, "write_file", 0)).toMatchObject({ errorMessage: expect.stringContaining("PLAN") });
  const marked = world.events.find((event) => event.type === "tool_call" && event.plan !== undefined);
  expect(marked).toMatchObject({ toolName: "ask_user", plan: { text: expect.stringContaining("Write new.txt") } });
  expect(await readFile(join(world.cwd, "new.txt"), "utf8")).toBe("made\n");
});

it("hooks of the project run after edits once they are accepted, and the model reads what they say", async () => {
  const config = { fileChangeHooks: [{ name: "lint", command: "echo linted $(ls *.ts)", filePattern: "*.ts" }] };
  const turns = [
    { tools: [call("write_file", { path: "a.ts", instructions: "x", content: "1\n" })] },
    { expect: { toolResult: "linted a.ts" }, text: "ok" },
  ];
  const files = { "codebuff.json": JSON.stringify(config) };
  const accepted = await runWorld(turns, { files, options: { trust: () => true } });
  await accepted.run();
  expect(accepted.llm.failures()).toEqual([]);
  const refused = await runWorld([turns[0] ?? {}, { text: "ok" }], { files });
  await refused.run();
  expect(refused.events).toContainEqual(expect.objectContaining({ type: "error", code: "untrusted", fatal: false }));
  expect(refused.events[0]?.type).toBe("start");
  expect(JSON.stringify(refused.events)).not.toContain("linted a.ts");
});

it("a text for the running agent enters at its next step; one that comes too late is refused", async () => {
  const joined: string[] = [];
  const steering = new Steering({ onJoined: (messageId) => joined.push(messageId) });
  const world = await runWorld([
    { tools: [call("list_directory", { path: "." })] },
    { expect: { user: "hurry up" }, text: "Yes." },
  ]);
  await world.run({
    steering,
    handleEvent: (event) => {
      if (event.type === "tool_call") steering.send("hurry up", "m-1");
    },
  });
  expect(world.llm.failures()).toEqual([]);
  expect(joined).toEqual(["m-1"]);
  expect(steering.send("too late")).toBeUndefined();
});

it("fileFilter decides what may be read, overrides take the place of tools", async () => {
  const commands: unknown[] = [];
  const world = await runWorld(
    [
      {
        tools: [
          call("read_files", { paths: [".env", "a.txt", ".env.example"] }),
          call("run_terminal_command", { command: "ls" }),
        ],
      },
      {
        tools: [
          call("str_replace", { path: "a.txt", replacements: [{ old: "one", new: "two" }] }),
          call("write_file", { path: "b.txt", instructions: "x", content: "b" }),
        ],
      },
      { text: "ok" },
    ],
    {
      files: { ".env": "SECRET=1", ".env.example": "SECRET=", "a.txt": "one\n" },
      options: {
        fileFilter: (path) => ({
          status: path === ".env" ? "blocked" : path.endsWith(".example") ? "allow-example" : "allow",
        }),
        overrideTools: {
          run_terminal_command: async (input) => {
            commands.push(input);
            return [{ type: "json", value: { command: "ls", stdout: "mine" } }];
          },
          write_file: async (change) => [
            { type: "json", value: { file: change.path, kind: change.type, content: change.content } },
          ],
        },
      },
    },
  );
  await world.run();
  expect(resultOf(world.events, "read_files")).toMatchObject([
    { path: ".env", content: "[BLOCKED]" },
    { path: "a.txt", content: "one\n" },
    { path: ".env.example", content: "[TEMPLATE]\nSECRET=" },
  ]);
  expect(commands).toMatchObject([{ command: "ls", mode: "assistant" }]);
  expect(resultOf(world.events, "str_replace")).toMatchObject({
    kind: "patch",
    content: expect.stringContaining("+two"),
  });
  expect(resultOf(world.events, "write_file")).toMatchObject({ kind: "file", content: "b" });
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("one\n");
});

it("agents of the project are used when they were accepted; knowledge and skills reach the model", async () => {
  const world = await runWorld(
    [
      { expect: { system: "use tabs" }, tools: [call("skill", { name: "tidy" })] },
      { expect: { toolResult: "Sweep" }, text: "ok" },
    ],
    {
      files: {
        ".agents/helper.ts": `export default { id: "helper", displayName: "H", model: "anthropic/claude-haiku-4.5", toolNames: ["skill"], systemPrompt: "{CODEBUFF_KNOWLEDGE_FILES_CONTENTS}" }`,
        ".agents/skills/tidy/SKILL.md": "---\nname: tidy\ndescription: Tidies up\n---\nSweep.",
        "knowledge.md": "use tabs",
      },
      options: { trust: () => true },
    },
  );
  const { output } = await world.run({ agent: "helper" });
  expect(output.type).toBe("lastMessage");
  expect(world.llm.failures()).toEqual([]);
  const { output: refused } = await world.run({ agent: "nobody" });
  expect(refused).toMatchObject({
    type: "error",
    error: "agent_not_found",
    message: expect.stringContaining("helper"),
  });
});

it("a snapshot is taken before the prompt, and undo brings the files back", async () => {
  const { Snapshots } = await import("../src/index.ts");
  const world = await runWorld(
    [{ tools: [call("write_file", { path: "a.txt", instructions: "x", content: "changed\n" })] }, { text: "ok" }],
    { files: { "a.txt": "before\n" } },
  );
  await mkdir(join(world.home, "snapshots"));
  await writeFile(join(world.cwd, "other.txt"), "x");
  const snapshots = await Snapshots.open({ root: world.cwd, session: "s_1", directory: join(world.home, "snapshots") });
  await world.run({ snapshots });
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("changed\n");
  expect((await snapshots.undo()).kind).toBe("moved");
  expect(await readFile(join(world.cwd, "a.txt"), "utf8")).toBe("before\n");
  await snapshots.close();
});
