import { expect, it } from "vitest";
import type { AgentDefinition } from "../src/index.ts";
import { codebuffService, type Gate } from "./codebuff-service.ts";
import { chatAnswer, sendStream } from "./http-service.ts";
import { call, resultOf, runWorld } from "./run-world.ts";

const agent: AgentDefinition = {
  id: "tester",
  displayName: "T",
  model: "anthropic/claude-sonnet-4",
  toolNames: ["web_search", "read_files"],
  systemPrompt: "SYS",
};

async function backendWorld(given: Parameters<typeof codebuffService>[0] = {}) {
  const service = await codebuffService(given);
  const world = await runWorld([{ text: "never" }], {
    env: { ANTHROPIC_API_KEY: "" },
    options: { apiKey: `cb-test-${Math.random()}`, baseUrl: service.url, agentDefinitions: [agent] },
  });
  return { ...world, service };
}

it("the whole flow: identity, START, chat with metadata, steps, FINISH; the server says what it cost", async () => {
  const world = await backendWorld({
    chat: (_, response, n) =>
      sendStream(
        response,
        n === 1
          ? chatAnswer(["Looking."], { cost: 0.02, tool: { name: "web_search", arguments: '{"query":"x"}' } })
          : chatAnswer(["Done."], { cost: 0.02 }),
      ),
  });
  const { output } = await world.run({ prompt: "hello" });
  await world.client.close();
  expect(output.type).toBe("lastMessage");
  expect(resultOf(world.events, "web_search")).toEqual({ result: "search says hi" });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", totalCost: 5, totalCostUsd: 0.05 });
  const order = world.service.seen
    .map(({ path }) => path.split("?")[0])
    .filter((path) => !path?.endsWith("token-count"));
  expect(order.slice(0, 3)).toEqual(["/api/v1/me", "/api/v1/agent-runs", "/api/v1/chat/completions"]);
  const [chat] = world.service.bodies("chat");
  expect(chat).toMatchObject({
    model: "anthropic/claude-sonnet-4",
    stream: true,
    codebuff_metadata: { run_id: "run-1", client_id: expect.any(String), cost_mode: "normal" },
    provider: { allow_fallbacks: false },
  });
  expect(chat?.messages).toMatchObject([{ role: "system" }, { role: "user" }]);
  expect(JSON.stringify(chat?.messages)).toContain('"cache_control":{"type":"ephemeral"}');
  expect(world.service.bodies("step")).toMatchObject([
    { stepNumber: 1, credits: 3, messageId: "gen-1", status: "completed" },
    { stepNumber: 2, credits: 2 },
  ]);
  expect(world.service.bodies("finish")).toMatchObject([
    { action: "FINISH", runId: "run-1", status: "completed", totalSteps: 2, directCredits: 5, totalCredits: 5 },
  ]);
  expect(
    world.service.seen.every(
      ({ headers }) =>
        headers.authorization?.startsWith("Bearer cb-test-") && headers["x-codebuff-client"] !== undefined,
    ),
  ).toBe(true);
});

it("who the key belongs to is asked once per key", async () => {
  const world = await backendWorld();
  await Promise.all([world.run(), world.run(), world.run()]);
  expect(world.service.hits.me).toBe(1);
});

const both = (status: number): [string, Gate][] => [
  ["plain", { status, body: { error: "some_code", message: "said plainly" } }],
  ["openai shape", { status, body: { error: { message: "said plainly", code: "some_code" } } }],
];
const chatGates = [400, 401, 402, 403].flatMap((status) =>
  both(status).map(([shape, gate]) => [status, shape, gate] as const),
);
const codes: Record<number, string> = {
  400: "some_code",
  401: "bad_credentials",
  402: "out_of_credits",
  403: "some_code",
};
it.each(chatGates)(
  "D9: chat %i, %s: one try, code, status and text in the output, no stack, and always finish",
  async (status, _, gate) => {
    const world = await backendWorld({ gates: { chat: gate } });
    const { output } = await world.run();
    await world.client.close();
    expect(output).toEqual({ type: "error", message: "said plainly", statusCode: status, error: codes[status] });
    expect(world.events.at(-1)).toMatchObject({ type: "finish", status: "failed" });
    expect([world.service.hits.chat, world.service.bodies("finish")[0]?.status]).toEqual([1, "failed"]);
  },
);

it.each([401, 403])(
  "a key that /me refuses (%i) is an error output, not a rejection, and begins no run",
  async (status) => {
    const world = await backendWorld({ gates: { me: { status } } });
    const { output } = await world.run();
    expect(output).toMatchObject({ type: "error", statusCode: status, message: `scripted gate ${status}` });
    expect([world.events.map(({ type }) => type), world.service.hits.start]).toEqual([["error"], undefined]);
  },
);

const refusals = (["me", "start"] as const).flatMap((endpoint) =>
  [400, 402, 429, 500].map((status) => ({ endpoint, status, tries: status < 429 ? 1 : 4 })),
);
it("E-1: a server that refuses /me or START for other reasons: the run begins, fails and finishes", {
  timeout: 60_000,
}, async () => {
  // Side by side, because the pauses between the tries are real.
  const runs = refusals.map(async ({ endpoint, status, tries }) => {
    const world = await backendWorld({ gates: { [endpoint]: { status } } });
    const { output } = await world.run();
    const message = `scripted gate ${status}`;
    expect(output).toMatchObject({ type: "error", statusCode: status, message });
    expect(world.events).toMatchObject([
      { type: "start", agentId: "tester", model: expect.any(String), sessionId: expect.any(String) },
      { type: "error", fatal: true, statusCode: status, message },
      { type: "finish", agentId: expect.any(String), status: "failed" },
    ]);
    expect([world.service.hits[endpoint], world.service.hits.chat]).toEqual([tries, undefined]);
  });
  await Promise.all(runs);
});

it("E-1: a server that cannot be reached is a run that failed", { timeout: 60_000 }, async () => {
  const world = await backendWorld();
  const { output } = await world.run({ baseUrl: "http://127.0.0.1:1" });
  expect(output).toMatchObject({ type: "error", message: expect.any(String) });
  expect(world.events.map(({ type }) => type)).toEqual(["start", "error", "finish"]);
  expect(world.events.at(-1)).toMatchObject({ status: "failed" });
});

it("429 once with Retry-After, and steps and FINISH that fail once, are tried again", async () => {
  const world = await backendWorld({
    gates: {
      chat: { status: 429, body: { error: "rate", message: "slow down" }, headers: { "retry-after": "0" }, times: 1 },
      step: { status: 500, times: 1 },
      finish: { status: 500, times: 1 },
      start: { status: 500, times: 1 },
    },
  });
  const { output } = await world.run();
  expect(output.type).toBe("lastMessage");
  await expect.poll(() => world.service.hits.finish, { timeout: 15_000 }).toBe(2);
  expect([world.service.hits.chat, world.service.hits.step, world.service.hits.start]).toEqual([2, 2, 2]);
});

it("a connection that drops in the middle of the text: withdrawn, done anew, shown once in the history", async () => {
  const world = await backendWorld({
    chat: (_, response, n) => {
      const answer = chatAnswer(["Part", "ial"], { cost: 0.01 });
      if (n > 1) return sendStream(response, answer);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(answer.slice(0, answer.indexOf("ial")).replace(/[^\n]*$/, ""), () =>
        setTimeout(() => response.destroy(), 50),
      );
    },
  });
  const { output, sessionState } = await world.run();
  expect(output.type).toBe("lastMessage");
  expect(world.events).toContainEqual(expect.objectContaining({ type: "error", code: "withdrawn", fatal: false }));
  expect(JSON.stringify(sessionState?.mainAgentState.messageHistory).match(/Partial/g)).toHaveLength(1);
});

it("an agent of the store is fetched once; one that does not exist names those that do", async () => {
  const stored = {
    id: "reviewer",
    displayName: "R",
    model: "anthropic/claude-sonnet-4",
    toolNames: ["end_turn"],
    systemPrompt: "x",
    handleSteps: "function* () { yield 'STEP'; }",
  };
  const world = await backendWorld({ agent: stored });
  const first = await world.run({ agent: "acme/reviewer@0.0.1" });
  const second = await world.run({ agent: "acme/reviewer@0.0.1" });
  expect([first.output.type, second.output.type]).toEqual(["lastMessage", "lastMessage"]);
  expect(world.service.hits.agents).toBe(1);
  const missing = await backendWorld();
  expect((await missing.run({ agent: "acme/nobody@1.0.0" })).output).toMatchObject({
    type: "error",
    error: "agent_not_found",
    message: expect.stringContaining("tester"),
  });
});

it("the original's README ids find the shipped agents", async () => {
  const world = await backendWorld();
  const { output } = await world.run({ agent: "codebuff/base@0.0.16" });
  expect(output.type).toBe("lastMessage");
  expect(world.events[0]).toMatchObject({ type: "start", agentId: "base" });
});

it.each(["connecting", "streaming", "in identity"])("an abort while %s settles the run as cancelled", async (phase) => {
  const aborter = new AbortController();
  const stall = () => void setTimeout(() => aborter.abort(), 50);
  const world = await backendWorld({
    chat: (_, response) => {
      if (phase === "streaming") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(chatAnswer(["Hello"]).split("\n\n").slice(0, 2).join("\n\n"));
      }
      stall();
    },
    gates: phase === "in identity" ? { me: { status: 500 } } : {},
  });
  if (phase === "in identity") stall();
  const { output } = await world.run({ signal: aborter.signal });
  expect(output).toMatchObject({ type: "error", error: "cancelled" });
  expect([world.events[0]?.type, world.events.at(-1)]).toMatchObject([
    "start",
    { type: "finish", status: "cancelled" },
  ]);
});

it("checkConnection() is true only for a healthy server", async () => {
  const world = await backendWorld();
  expect(await world.client.checkConnection()).toBe(false);
});

it("list-models says what is usable and why the rest is not", async () => {
  const world = await runWorld([{ text: "x" }]);
  const models = await world.client.listModels();
  expect(models.find(({ provider, id }) => provider === "anthropic" && id === "claude-haiku-4-5")).toMatchObject({
    usable: true,
    price: { input: 1 },
  });
  expect(models.find(({ provider }) => provider === "openai")).toMatchObject({
    usable: false,
    reason: "OPENAI_API_KEY is not set",
  });
  expect(models.find(({ provider }) => provider === "backend")).toMatchObject({
    usable: false,
    reason: expect.stringContaining("CODEBUFF_API_KEY"),
  });
});

const keys: readonly [provider: string, env: (url: string) => NodeJS.ProcessEnv, model: string][] = [
  ["openai", (url) => ({ OPENAI_API_KEY: "sk-fake", OPENAI_BASE_URL: url }), "openai/gpt-5-mini"],
  [
    "openrouter",
    (url) => ({ OPENROUTER_API_KEY: "sk-or-fake", OPENROUTER_BASE_URL: url }),
    "anthropic/claude-haiku-4.5",
  ],
  ["gemini", (url) => ({ GEMINI_API_KEY: "fake-key", GEMINI_BASE_URL: url }), "google/gemini-2.5-flash"],
];
it.each(keys)(
  "with only a key for %s the agent runs on that vendor's model, and says so",
  async (provider, env, model) => {
    const world = await runWorld(
      [
        { text: "Reading.", tools: [call("read_files", { paths: ["a.txt"] })], usage: { input: 1000, output: 100 } },
        { text: "Done.", usage: { input: 1000, output: 100 } },
      ],
      { files: { "a.txt": "x" } },
    );
    const { output } = await world.run({ processEnv: { PATH: process.env.PATH, ...env(world.llm.url) } });
    expect(output).toMatchObject({ type: "lastMessage" });
    expect(world.llm.failures()).toEqual([]);
    expect(world.events[0]).toMatchObject({ type: "start", model });
    expect(world.events.at(-1)).toMatchObject({
      type: "finish",
      status: "completed",
      totalCostUsd: expect.any(Number),
    });
    expect(provider).not.toBe("");
  },
);

it("a model asked for by name that no key serves is refused, and no other one is asked in its place", async () => {
  const world = await runWorld([{ text: "never" }]);
  const refusal = {
    code: "unknown_model",
    message:
      "No key at hand serves the model 'gpt-5.2', only claude-opus-4-6, claude-sonnet-4-6, claude-haiku-4-5 and full ids (anthropic/…)",
  };
  expect(await world.client.planRun({ model: "gpt-5.2" })).toMatchObject({ refusal });
  const { output } = await world.run({ model: "gpt-5.2" });
  expect(output).toMatchObject({ type: "error", error: refusal.code, message: refusal.message });
  expect(world.llm.requests()).toEqual([]);
  expect(await world.client.planRun({ model: "anthropic/made-yesterday" })).toMatchObject({
    model: "anthropic/made-yesterday",
  });
});

it("a service of one's own needs no key, and a model without a price says so", async () => {
  const world = await runWorld([{ text: "Local." }]);
  const { mkdir, writeFile } = await import("node:fs/promises");
  await mkdir(`${world.home}/.codebuff`, { recursive: true });
  const providers = { ollama: { type: "openai-compatible", baseUrl: world.llm.url, model: "qwen-coder" } };
  await writeFile(`${world.home}/.codebuff/config.json`, JSON.stringify({ providers }));
  const { output } = await world.run({ processEnv: { PATH: process.env.PATH } });
  expect(output.type).toBe("lastMessage");
  expect(world.events[0]).toMatchObject({ model: "ollama/qwen-coder" });
  expect(world.events.at(-1)).toMatchObject({ type: "finish", costUnknown: true });
  expect(world.events.at(-1)).not.toHaveProperty("totalCostUsd");
});
