import { isLong } from "@muster/chaos";
import { parseJson } from "@muster/core";
import { dataOf, FrameCutter, framesOf } from "@muster/node";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readUsage, usageOfBody } from "./read-usage.ts";
import type { Protocol, Usage } from "./usage.ts";

const splits = isLong ? 20_000 : 2_000;

const cases: readonly { name: string; protocol: Protocol; events: readonly unknown[]; usage: Usage }[] = [
  {
    name: "Chat Completions of a router, usage on many chunks: the last counts",
    protocol: "chat",
    events: [
      { choices: [{ delta: { content: 'He said "usage":{"prompt_tokens":9} — ü' } }], usage: null },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, cost: 1 } },
      {
        choices: [],
        usage: {
          prompt_tokens: 1200,
          completion_tokens: 40,
          prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 50 },
          completion_tokens_details: { reasoning_tokens: 10 },
          cost: 0.02,
          cost_details: { upstream_inference_cost: 0.005 },
        },
      },
    ],
    usage: {
      inputTokens: 1200,
      cachedInputTokens: 1000,
      cacheWriteTokens: 50,
      longCacheWriteTokens: 0,
      outputTokens: 40,
      reasoningTokens: 10,
      nanoDollars: 25_000_000,
    },
  },
  {
    name: "Anthropic Messages: input at the start, output at the end, cached input beside the input",
    protocol: "messages",
    events: [
      {
        type: "message_start",
        message: {
          usage: {
            input_tokens: 100,
            cache_read_input_tokens: 900,
            cache_creation_input_tokens: 50,
            cache_creation: { ephemeral_1h_input_tokens: 20 },
            output_tokens: 1,
          },
        },
      },
      { type: "content_block_delta", delta: { text: "usage" } },
      { type: "message_delta", usage: { output_tokens: 77 } },
    ],
    usage: {
      inputTokens: 1050,
      cachedInputTokens: 900,
      cacheWriteTokens: 50,
      longCacheWriteTokens: 20,
      outputTokens: 77,
      reasoningTokens: 0,
    },
  },
  {
    name: "OpenAI Responses: at the end of the response",
    protocol: "responses",
    events: [
      { type: "response.created", response: { usage: null } },
      {
        type: "response.completed",
        response: {
          usage: {
            input_tokens: 500,
            input_tokens_details: { cached_tokens: 200 },
            output_tokens: 60,
            output_tokens_details: { reasoning_tokens: 30 },
          },
        },
      },
    ],
    usage: {
      inputTokens: 500,
      cachedInputTokens: 200,
      cacheWriteTokens: 0,
      longCacheWriteTokens: 0,
      outputTokens: 60,
      reasoningTokens: 30,
    },
  },
  {
    name: "Gemini: the sum so far on every piece, thoughts beside the answer",
    protocol: "gemini",
    events: [
      { candidates: [{ content: { parts: [{ text: "usageMetadata" }] } }], usageMetadata: { promptTokenCount: 90 } },
      {
        candidates: [{ finishReason: "STOP" }],
        usageMetadata: {
          promptTokenCount: 90,
          toolUsePromptTokenCount: 10,
          cachedContentTokenCount: 40,
          candidatesTokenCount: 7,
          thoughtsTokenCount: 5,
        },
      },
    ],
    usage: {
      inputTokens: 100,
      cachedInputTokens: 40,
      cacheWriteTokens: 0,
      longCacheWriteTokens: 0,
      outputTokens: 12,
      reasoningTokens: 5,
    },
  },
];

describe.each(cases)("$name", ({ protocol, events, usage }) => {
  const whole = Buffer.from(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`);

  it(`is read from ${splits} random splits without an error`, () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(whole.length), { maxLength: 30 }), (places) => {
        const cuts = [0, ...places.sort((one, other) => one - other), whole.length];
        const pieces = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end));
        expect(usageIn(protocol, pieces)).toEqual(usage);
      }),
      { numRuns: splits },
    );
  });
});

it("an answer that did not stream tells the same", () => {
  expect(usageOfBody("chat", { usage: { prompt_tokens: 3, completion_tokens: 4 } })).toEqual({
    inputTokens: 3,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    longCacheWriteTokens: 0,
    outputTokens: 4,
    reasoningTokens: 0,
    nanoDollars: undefined,
  });
  expect(usageOfBody("messages", { usage: { input_tokens: 3, output_tokens: 4 } })?.inputTokens).toBe(3);
  expect(usageOfBody("responses", { usage: { input_tokens: 3, output_tokens: 4 } })?.outputTokens).toBe(4);
  expect(usageOfBody("chat", { choices: [] })).toBeUndefined();
  const pieces = [{ usageMetadata: { promptTokenCount: 1 } }, { usageMetadata: { promptTokenCount: 2 } }];
  expect(usageOfBody("gemini", pieces)?.inputTokens).toBe(2);
});

it("a frame that is not JSON, counts that are none and a cut-off end tell nothing and break nothing", () => {
  const broken = 'data: {"usage": {\n\ndata: {"usage":{"prompt_tokens":-1,"completion_tokens":"7"}}\n\n';
  expect(usageIn("chat", [Buffer.from(broken)])).toBeUndefined();
  const cutOff = Buffer.from('data: {"usage":{"prompt_tokens":5}}');
  expect(usageIn("chat", [Buffer.from(broken), cutOff])?.inputTokens).toBe(5);
});

/** As whoever forwards a stream reads it: cut into frames, in whatever pieces it comes. */
function usageIn(protocol: Protocol, pieces: readonly Buffer[]): Usage | undefined {
  const cutter = new FrameCutter();
  const slices = [...pieces.map((piece) => cutter.push(piece)), cutter.rest()];
  const events = slices.flatMap((slice) => [...framesOf(slice)].map((frame) => parseJson(dataOf(frame))));
  return events.reduce<Usage | undefined>((known, event) => readUsage(protocol, known, event), undefined);
}
