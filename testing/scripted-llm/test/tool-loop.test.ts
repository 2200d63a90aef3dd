import { generateText, stepCountIs, streamText, tool } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineScript } from "../src/script/script.ts";
import { type ScriptedLlm, startScriptedLlm } from "../src/server.ts";
import { clients } from "./clients.ts";

const script = defineScript({
  conversations: [
    {
      name: "weather",
      match: { user: "weather" },
      turns: [
        {
          reasoning: ["First I look.", "Then I answer."],
          text: "Let me look — 天気 🌦.",
          tools: [
            { name: "get_weather", input: { city: "Oslo" } },
            { name: "get_weather", input: { city: "Rome" } },
          ],
          usage: { input: 120, output: 30, cachedInput: 20, reasoning: 8 },
        },
        {
          expect: { toolResult: ["Oslo: rain", "Rome: sun"], not: { toolResult: "snow" } },
          text: ["Rain in Oslo, ", "sun in Rome."],
          usage: { input: 200, output: 12 },
        },
      ],
    },
  ],
});

const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `${city}: ${city === "Oslo" ? "rain" : "sun"}`,
  }),
};

const ask = { prompt: "What is the weather?", tools, stopWhen: stepCountIs(3), maxRetries: 0 };

let server: ScriptedLlm | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe.each(Object.keys(clients))("An AI SDK client over %s", (name) => {
  const model = (url: string) => (clients[name] as (typeof clients)[string])(url);

  test("completes a two-step tool loop in a stream, with the scripted usage", async () => {
    server = await startScriptedLlm({ script });
    const result = streamText({ model: model(server.url), ...ask });
    await result.consumeStream();
    const steps = await result.steps;
    expect(steps.map((step) => step.finishReason)).toEqual(["tool-calls", "stop"]);
    expect(steps[0]?.text).toBe("Let me look — 天気 🌦.");
    expect(steps[0]?.toolCalls.map((call) => call.input)).toEqual([{ city: "Oslo" }, { city: "Rome" }]);
    expect(await result.text).toBe("Rain in Oslo, sun in Rome.");
    expect(steps.map(({ usage }) => [usage.inputTokens, usage.outputTokens])).toEqual([
      [120, 30],
      [200, 12],
    ]);
    expect(steps[0]?.usage.inputTokenDetails.cacheReadTokens).toBe(20);
    expect(await result.totalUsage).toMatchObject({ inputTokens: 320, outputTokens: 42, totalTokens: 362 });
    expect(server.failures()).toEqual([]);
  });

  test("completes the same loop without streaming", async () => {
    server = await startScriptedLlm({ script });
    const result = await generateText({ model: model(server.url), ...ask });
    expect(result.steps.map((step) => step.finishReason)).toEqual(["tool-calls", "stop"]);
    expect(result.text).toBe("Rain in Oslo, sun in Rome.");
    expect(result.totalUsage).toMatchObject({ inputTokens: 320, outputTokens: 42, totalTokens: 362 });
    expect(server.failures()).toEqual([]);
    expect(server.requests().map(({ conversation, turn, outcome }) => [conversation, turn, outcome])).toEqual([
      ["weather", 1, "replied"],
      ["weather", 2, "replied"],
    ]);
  });
});

test("reasoning reaches the client where the protocol has a place for it", async () => {
  server = await startScriptedLlm({ script });
  const seen: Record<string, string | undefined> = {};
  for (const [name, client] of Object.entries(clients)) {
    const result = streamText({ model: client(server.url), ...ask });
    await result.consumeStream();
    seen[name] = (await result.steps)[0]?.reasoningText;
    server.reset();
  }
  expect(seen).toEqual({
    "anthropic messages": "First I look.\n\nThen I answer.",
    "openai chat completions": undefined,
    "openai responses": "First I look.Then I answer.",
    "openai-compatible": "First I look.\n\nThen I answer.",
  });
});
