import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedLlm } from "@muster/scripted-llm";
import { expect, onTestFinished } from "vitest";
import { commandLineOf, parts, type Talk } from "../agent-home.ts";
import { mcpServer } from "../mcp-demo.ts";
import { openAccount } from "./codebuff-account.ts";
import { CodebuffHome, terminal } from "./codebuff-home.ts";

const { codebuff, test } = await CodebuffHome.forFile();
const change = ({ talk }: Talk, settings: Record<string, unknown>) =>
  codebuff.daemon.api.ask("PATCH", talk.path, settings);
const bodies = ({ llm }: Talk) => llm.requests().map(({ body }) => body as Record<string, unknown>);

test("an MCP server given at create is there, asks like any tool, and its secrets are on no command line", async () => {
  const program = join(await codebuff.directory(), "mcp.mjs");
  await writeFile(program, mcpServer);
  const session = await codebuff.begin(
    [
      { tools: [{ name: "demo__echo", native: true, input: { text: "hi" } }] },
      { expect: { toolResult: "echo: hi a-secret-value" }, text: "It said hi." },
    ],
    { mcp: { demo: { command: process.execPath, args: [program], env: { ECHO_SECRET: "a-secret-value" } } } },
  );
  const { messageId } = await session.talk.send("use it");
  const asked = await session.talk.until("permission.requested");
  expect(asked.data).toMatchObject({
    action: "mcp",
    detail: { tool: "demo__echo", input: { text: "hi" } },
    alwaysScope: [{ action: "mcp", pattern: "demo__echo" }],
  });
  expect(commandLineOf(codebuff.processOf(session))).not.toContain("a-secret-value");
  await codebuff.reply(session, asked.data.permissionId, "once");
  const turn = await session.talk.turnOf(messageId);
  expect(turn.text).toBe("It said hi.");
  // The file that named it is gone once it has been read.
  const kept = await readdir(codebuff.home.path, { recursive: true });
  expect(kept.filter((path) => /mcp-[^/]*\.json$/.test(path))).toEqual([]);
  await codebuff.finish(session);
});

test("a budget ends a turn before it costs more; a larger one lets the next go on", async () => {
  const look = { text: "I look.", tools: [{ name: "list_directory", native: true, input: { path: "." } }] };
  const session = await codebuff.begin([look, look, { text: "Done." }], { limits: { budgetUsd: 0.000001 } });
  const { messageId } = await session.talk.send("look around");
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "budget_exceeded" });
  expect(bodies(session).length).toBeLessThanOrEqual(1);
  await change(session, { limits: { budgetUsd: 5 } });
  expect((await session.talk.say("again")).text).toContain("Done.");
});

test("a budget is for the whole session: the second turn gets what the first has left", async () => {
  const look = { text: "I look.", tools: [{ name: "list_directory", native: true, input: { path: "." } }] };
  const script = [look, { text: "Done." }, look, { text: "Done." }];
  const free = await codebuff.begin(script);
  const { listUsd = 0 } = (await free.talk.say("one")).end.wire ?? {};
  const session = await codebuff.begin(script, { limits: { budgetUsd: listUsd * 1.2 } });
  expect((await session.talk.say("one")).end).toMatchObject({ status: "completed", wire: { listUsd } });
  const { messageId } = await session.talk.send("two");
  expect((await session.talk.turnOf(messageId)).end).toMatchObject({ status: "failed", cause: "budget_exceeded" });
  // The first request of the second turn is not let in where its input alone would not fit.
  expect([2, 3]).toContain(bodies(session).length);
});

test("variant, mode and model change between two messages of one process", async () => {
  const session = await codebuff.begin([{ text: "Done.", times: "always" }], { variant: "low" });
  const pid = codebuff.processOf(session);
  await session.talk.say("one");
  await change(session, { variant: "high" });
  await session.talk.say("two");
  await change(session, { agentMode: "free" });
  await session.talk.say("three");
  await change(session, { agentMode: "default", model: "claude-haiku-4-5" });
  await session.talk.say("four");
  const asked = bodies(session);
  const budgetOf = (at: number) => (asked[at]?.thinking as { budget_tokens?: number } | undefined)?.budget_tokens;
  expect(budgetOf(1)).toBeGreaterThan(budgetOf(0) ?? Number.NaN);
  expect(asked.map((body) => body.model).slice(0, 2)).toEqual([asked[0]?.model, asked[0]?.model]);
  expect(asked[2]?.model).not.toBe(asked[0]?.model);
  expect(asked[3]?.model).toContain("haiku");
  expect(codebuff.processOf(session)).toBe(pid);
  // What changed is what the session says, and each run's model is told where it is another one.
  expect(await session.talk.view()).toMatchObject({ agentMode: "default", variant: "high" });
  const log = await codebuff.daemon.api.log(session.talk.sessionId);
  const told = log.filter(({ type, source }) => type === "session.updated" && source === "agent");
  expect(told.map(({ data }) => data)).toMatchObject([{ model: expect.stringContaining("haiku") }]);
  await codebuff.finish(session);
});

test("a prompt that begins with /agent runs agent mode, told by the same events", async () => {
  const call = "<run_terminal_command>\n<command>echo ran >> ran.txt</command>\n</run_terminal_command>";
  const goal =
    "<add_subgoal>\n<id>g1</id>\n<objective>it ran</objective>\n<status>IN_PROGRESS</status>\n</add_subgoal>";
  const session = await codebuff.beginWith(
    {
      conversations: [
        {
          match: { system: "Codebuff in agent mode" },
          turns: [{ text: `I plan.\n${goal}\n${call}` }, { text: "It ran.\n<end_turn></end_turn>" }],
        },
        { turns: [{ text: "I am back." }] },
      ],
    },
    { permissionMode: "bypass" },
  );
  const turn = await session.talk.say("/agent make it run");
  expect(turn.end).toMatchObject({ status: "completed", costUsd: expect.any(Number) });
  expect(turn.text).toContain("I plan.");
  expect(turn.text).toContain("It ran.");
  expect(turn.text).not.toContain("<run_terminal_command>");
  expect(turn.of("plan.updated").at(-1)?.entries).toMatchObject([{ content: "it ran" }]);
  const calls = parts(turn.of("item.completed"), "tool_call").map(({ name }) => name);
  expect(calls).toContain("run_terminal_command");
  expect(parts(turn.of("item.completed"), "tool_result")).toHaveLength(calls.length);
  expect(await readFile(join(session.directory, "ran.txt"), "utf8")).toBe("ran\n");
  expect((await session.talk.say("and you?")).text).toBe("I am back.");
  await codebuff.finish(session);
});

test("the whole chain: a key of our server, its credits, and what a turn cost", async () => {
  const llm = await startScriptedLlm({
    script: {
      conversations: [
        {
          turns: [
            { tools: [terminal("echo chained")], usage: { input: 20_000, output: 300 } },
            { expect: { toolResult: "chained" }, text: "Through all of it.", usage: { input: 20_500, output: 100 } },
          ],
        },
      ],
    },
  });
  onTestFinished(() => llm.close());
  const folder = await codebuff.directory();
  const account = await openAccount({ model: llm.url, folder, credits: 500 });
  const session = await codebuff.beginOn(llm, {
    token: account.key,
    baseUrl: account.url,
    permissionMode: "bypass",
  });
  const turn = await session.talk.say("go through");
  expect(turn.text).toBe("Through all of it.");
  expect(turn.end).toMatchObject({
    status: "completed",
    costUsd: expect.any(Number),
    usage: { inputTokens: 40_500, outputTokens: 400 },
  });
  expect(turn.end.costUsd).toBeGreaterThan(0);
  const [ann] = (await account.admin("users", "list")) as { credits: number }[];
  // A credit is a cent.
  expect(500 - (ann?.credits ?? Number.NaN)).toBeCloseTo((turn.end.costUsd ?? 0) * 100, 0);
  // The command says so when its turn has ended, and nobody waits for that.
  await expect.poll(() => account.admin("runs", "list")).toMatchObject([{ status: "completed" }]);
  // The model was asked by the server, with its key.
  expect(llm.requests().every(({ headerNames }) => !headerNames.includes("x-api-key"))).toBe(true);
  await account.admin("users", "ban", "ann@example.com");
  expect((await session.talk.say("once more")).end).toMatchObject({ status: "failed", cause: "account_suspended" });
  expect(llm.requests()).toHaveLength(2);
  await session.talk.finish();
});

test("no key the server knows, or no credits: each is told as what it is, and no model is asked", async () => {
  const llm = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "never" }] }] } });
  onTestFinished(() => llm.close());
  const { url: baseUrl, key } = await openAccount({ model: llm.url, folder: await codebuff.directory(), credits: 0 });
  const unknown = { agent: "codebuff", directory: await codebuff.directory(), baseUrl, token: "cb-nobody" };
  for (const [id, validateToken] of [
    ["found-out-by-the-agent", undefined],
    ["found-out-before", true],
  ] as const) {
    const created = await codebuff.daemon.api.post(`/sessions/${id}`, { ...unknown, validateToken });
    expect(created).toMatchObject({ healthy: false, error: { type: "token_error" } });
  }
  const session = await codebuff.beginOn(llm, { token: key, baseUrl, validateToken: true });
  expect((await session.talk.say("hello")).end).toMatchObject({ status: "failed", cause: "out_of_credits" });
  expect(llm.requests()).toEqual([]);
  await session.talk.finish();
});

test("a run that may take no more steps ends with that cause", async () => {
  const session = await codebuff.begin([{ tools: [terminal("echo on")], times: "always" }], {
    permissionMode: "bypass",
    agentOptions: { maxSteps: 2 },
  });
  expect((await session.talk.say("go on and on")).end).toMatchObject({ status: "failed", cause: "max_steps" });
  await session.talk.finish();
});
