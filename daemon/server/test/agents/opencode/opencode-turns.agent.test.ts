import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Item, Mode, Model } from "@muster/schema";
import { afterAll, beforeAll, expect } from "vitest";
import { testsOf } from "../installed-agent.ts";
import { fakeKey, OpencodeDaemon } from "./opencode-home.ts";

const call = (name: string, input: Record<string, unknown>) => ({ name, input });

const { program, test: it } = await testsOf("opencode");
let opencode: OpencodeDaemon;
beforeAll(async () => {
  if (program === undefined) return;
  opencode = await OpencodeDaemon.start([
    {
      match: { firstUser: "say hello" },
      turns: [
        {
          reasoning: "I greet.",
          text: "Hello there.",
          usage: { input: 100, output: 20, cachedInput: 40, reasoning: 5 },
        },
        { expect: { body: "Hello there" }, text: "And again." },
      ],
    },
    {
      match: { firstUser: "work with files" },
      turns: [
        {
          text: "I plan.",
          tools: [
            call("todo", {
              items: [
                { text: "Write", status: "in_progress" },
                { text: "Read", status: "pending" },
              ],
            }),
          ],
        },
        { tools: [call("write_file", { path: "notes.txt", content: "alpha\nbeta\n" })] },
        { tools: [call("read_file", { path: "notes.txt" })] },
        {
          expect: { toolResult: "beta" },
          tools: [call("edit_file", { path: "notes.txt", old: "alpha", new: "ALPHA" })],
        },
        { tools: [call("run_command", { command: "echo out; exit 3" })] },
        { text: "All done." },
      ],
    },
    {
      match: { firstUser: "call what is not there" },
      turns: [{ tools: [{ name: "no_such_tool", input: {}, native: true }] }, { text: "It is not there." }],
    },
    {
      match: { firstUser: "show the environment" },
      turns: [{ tools: [call("run_command", { command: "env" })] }, { text: "Shown." }],
    },
    {
      match: { firstUser: "take your time" },
      turns: [
        { tools: [call("run_command", { command: "sleep 3" })] },
        { expect: { body: "make it short" }, text: "Short." },
      ],
    },
    { match: { firstUser: "which model" }, turns: [{ text: "This one." }] },
  ]);
});
afterAll(async () => {
  if (program === undefined) return;
  await opencode.remove();
});

function partsOf(items: readonly { item: Item }[]) {
  return items.flatMap(({ item }) => item.content);
}

it("answers with reasoning and text, counts what it used, and asks the model for nothing else", async () => {
  const talk = await opencode.open();
  const before = opencode.llm.requests().length;
  const turn = await talk.say("say hello");
  expect(turn.end).toMatchObject({
    status: "completed",
    usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 40 },
  });
  expect(turn.text).toBe("Hello there.");
  expect(partsOf(turn.of("item.completed"))).toContainEqual({
    type: "reasoning",
    text: "I greet.",
    visibility: "public",
  });
  expect(opencode.llm.requests()).toHaveLength(before + 1);
  expect((await talk.say("once more")).text).toBe("And again.");
  const [started] = talk.events;
  expect(started).toMatchObject({ type: "session.started", data: { agentVersion: "1.18.33", model: "scripted/m1" } });
  await talk.finish();
});

it("tells its list of things to do, its calls, their results and the files they touched", async () => {
  const directory = await opencode.directory();
  const talk = await opencode.open({ directory, permissionMode: "bypass" });
  const turn = await talk.say("work with files");
  expect(turn.end.status).toBe("completed");
  expect(turn.of("plan.updated")).toEqual([
    {
      entries: [
        { content: "Write", status: "in_progress", priority: "medium" },
        { content: "Read", status: "pending", priority: "medium" },
      ],
    },
  ]);
  const parts = partsOf(turn.of("item.completed"));
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [`${part.name} ${part.toolKind}`] : []));
  expect(calls).toEqual(["todowrite think", "write edit", "read read", "edit edit", "bash execute"]);
  const path = "notes.txt";
  const diff = expect.stringContaining(`+++ b/${path}`) as string;
  expect(parts).toContainEqual({ type: "file", path, action: "write", diff });
  expect(parts).toContainEqual({ type: "file", path, action: "read" });
  expect(parts).toContainEqual({ type: "file", path, action: "patch", diff: expect.stringContaining("+ALPHA") });
  expect(parts).toContainEqual(expect.objectContaining({ type: "tool_result", exitCode: 3, isError: true }));
  expect(await readFile(join(directory, path), "utf8")).toBe("ALPHA\nbeta\n");
  expect(turn.of("permission.resolved").map(({ by }) => by)).toEqual(["mode", "mode", "mode"]);
  await talk.finish();
});

it("a call of a tool that does not exist fails under the name it was called by", async () => {
  const talk = await opencode.open();
  const turn = await talk.say("call what is not there");
  expect(turn.text).toBe("It is not there.");
  const parts = partsOf(turn.of("item.completed"));
  expect(parts).toContainEqual(expect.objectContaining({ type: "tool_call", name: "no_such_tool" }));
  expect(parts).toContainEqual(expect.objectContaining({ type: "tool_result", isError: true }));
  await talk.finish();
});

it("the commands it runs see neither the password of its server nor a key", async () => {
  const talk = await opencode.open({ permissionMode: "bypass", env: { VISIBLE: "yes" } });
  const turn = await talk.say("show the environment");
  const [result] = partsOf(turn.of("item.completed")).filter(({ type }) => type === "tool_result");
  const output = result?.type === "tool_result" ? result.output : "";
  expect(output).toContain("VISIBLE=yes");
  expect(output).not.toContain(fakeKey);
  expect(output).not.toMatch(/OPENCODE_(SERVER_PASSWORD|AUTH_CONTENT|CONFIG_CONTENT)/);
  await talk.finish();
});

it("a steering message is answered in the turn that is open", async () => {
  const talk = await opencode.open({ permissionMode: "bypass" });
  const { messageId } = await talk.send("take your time");
  await talk.until("item.started", ({ item }) => item.kind === "tool_call");
  const steered = await talk.send("make it short", { delivery: "steer" });
  const turn = await talk.turnOf(messageId);
  expect(turn.text).toBe("Short.");
  expect(turn.of("message.updated")).toContainEqual({
    messageId: steered.messageId,
    status: "joined",
    turnId: turn.end.turnId,
  });
  await talk.finish();
});

it("lists modes and models, and its vendor's free models only when they are asked for", async () => {
  const { api } = opencode.daemon;
  const modes = await api.get<{ modes: Mode[] }>("/agents/opencode/modes");
  expect(modes.modes.map(({ id }) => id)).toEqual(expect.arrayContaining(["build", "plan"]));
  const { models } = await api.get<{ models: Model[] }>("/agents/opencode/models");
  expect(models.filter(({ provider }) => provider === "opencode")).toEqual([]);
  const free = await opencode.open({
    model: undefined,
    baseUrl: undefined,
    token: undefined,
    agentOptions: { freeProvider: true },
  });
  expect((await free.view()).model).toMatch(/^opencode\//);
  await free.finish();
});

it("a model, a mode or a variant it does not have is told before anything is sent", async () => {
  const { api } = opencode.daemon;
  const directory = await opencode.directory();
  const endpoint = { agent: "opencode", model: "scripted/m1", baseUrl: opencode.llm.url, token: fakeKey, directory };
  const bad = await api.post<{ healthy: boolean; error: object }>("/sessions/bad-mode", {
    ...endpoint,
    agentMode: "poet",
  });
  expect(bad).toMatchObject({
    healthy: false,
    error: { type: "unsupported", message: expect.stringMatching(/no mode 'poet', only .*build/) },
  });
  const variant = await api.post<object>("/sessions/bad-variant", { ...endpoint, variant: "extreme" });
  expect(variant).toMatchObject({
    healthy: false,
    error: { type: "unsupported", message: expect.stringMatching(/no variant 'extreme'/) },
  });
  const { model: _, baseUrl: __, token: ___, ...nothing } = endpoint;
  const noKey = await api.post<object>("/sessions/no-key", nothing);
  expect(noKey).toMatchObject({ healthy: false, error: { type: "token_error" } });
});

it("speaks the protocol of its provider, with a variant of the model, and its price is counted", async () => {
  const talk = await opencode.open({ model: "anthropic/claude-sonnet-4-5", variant: "high" });
  const turn = await talk.say("say hello");
  expect(turn.text).toBe("Hello there.");
  expect(turn.end.costUsd).toBeGreaterThan(0);
  const request = opencode.llm.requests().at(-1);
  expect(request?.headerNames).toContain("x-api-key");
  expect(JSON.stringify(request?.body)).toContain('"thinking":{');
  await talk.finish();
});

it("works in the mode and directory it is given", async () => {
  const directory = await opencode.directory();
  await writeFile(join(directory, "AGENTS.md"), "Speak softly.\n");
  const talk = await opencode.open({ directory, agentMode: "plan", systemPrompt: "You are a lighthouse keeper." });
  expect((await talk.say("which model")).text).toBe("This one.");
  const body = JSON.stringify(opencode.llm.requests().at(-1)?.body);
  expect(body).toContain("lighthouse keeper");
  expect(body).toContain("Speak softly");
  await talk.finish();
  expect(opencode.llm.failures()).toEqual([]);
});
