import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ScriptedLlm, startScriptedLlm } from "../src/server.ts";

let server: ScriptedLlm;
beforeEach(async () => {
  server = await startScriptedLlm({
    script: {
      models: ["model-a", "vendor/model-b"],
      pace: { chars: 4 },
      routes: [{ path: "/api/v1/me", headers: { "content-type": "application/json" }, body: '{"id":"user-1"}' }],
      conversations: [
        {
          turns: [
            {
              reasoning: ["Why", "How"],
              text: "Hello",
              tools: [
                { name: "one", input: { a: 1 } },
                { name: "two", input: {} },
              ],
              usage: { input: 100, output: 20, cachedInput: 60, cacheWrite: 10, reasoning: 5, cost: 0.5 },
              times: "always",
            },
          ],
        },
      ],
    },
  });
});
afterEach(() => server.close());

type Json = Record<string, unknown>;

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { method: "POST", body: JSON.stringify(body), headers });
}

/** The events of a stream: their names (where they have one) and their data. */
async function events(path: string, body: object): Promise<{ name: string | undefined; data: Json }[]> {
  const response = await post(path, { model: "m", stream: true, ...body });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? "";
    return { name: /^event: (.*)$/m.exec(block)?.[1], data: data === "[DONE]" ? { done: true } : JSON.parse(data) };
  });
}

const messages = [{ role: "user", content: "hi" }];

describe("Anthropic Messages", () => {
  test("streams the service's events in the service's order", async () => {
    const seen = await events("/v1/messages", { messages });
    expect(seen.every(({ name, data }) => name === data.type)).toBe(true);
    const short = seen.map(({ data }) => {
      const inner = (data.content_block ?? data.delta ?? {}) as Json;
      return [data.type, data.index, inner.type].filter((one) => one !== undefined).join(" ");
    });
    expect(short).toEqual([
      "message_start",
      "content_block_start 0 thinking",
      "ping",
      "content_block_delta 0 thinking_delta",
      "content_block_delta 0 thinking_delta",
      "content_block_delta 0 thinking_delta",
      "content_block_delta 0 signature_delta",
      "content_block_stop 0",
      "content_block_start 1 text",
      "content_block_delta 1 text_delta",
      "content_block_delta 1 text_delta",
      "content_block_stop 1",
      "content_block_start 2 tool_use",
      "content_block_delta 2 input_json_delta",
      "content_block_stop 2",
      "content_block_start 3 tool_use",
      "content_block_delta 3 input_json_delta",
      "content_block_stop 3",
      "message_delta",
      "message_stop",
    ]);
    expect(seen[0]?.data.message).toEqual({
      id: "msg_scripted_1_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 30, cache_creation_input_tokens: 10, cache_read_input_tokens: 60, output_tokens: 1 },
    });
    expect(seen.at(-2)?.data).toEqual({
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 30, cache_creation_input_tokens: 10, cache_read_input_tokens: 60, output_tokens: 20 },
    });
  });

  test("answers whole, under any prefix and with a query", async () => {
    const response = await post("/api/provider/anthropic/v1/messages?beta=true", { model: "m", messages });
    expect(response.headers.get("request-id")).toBe("req_scripted_1");
    expect(await response.json()).toMatchObject({
      content: [
        { type: "thinking", thinking: "Why\n\nHow", signature: "c2NyaXB0ZWQ=" },
        { type: "text", text: "Hello" },
        { type: "tool_use", id: "toolu_scripted_1_1_0", name: "one", input: { a: 1 } },
        { type: "tool_use", id: "toolu_scripted_1_1_1", name: "two", input: {} },
      ],
      stop_reason: "tool_use",
    });
  });

  test("counts tokens and lists models in its own shape", async () => {
    const counted = await post("/v1/messages/count_tokens", { model: "m", messages });
    expect(await counted.json()).toEqual({ input_tokens: 15 });
    const headers = { "anthropic-version": "2023-06-01" };
    const list = (await (await fetch(`${server.url}/v1/models`, { headers })).json()) as { data: Json[] };
    expect(list).toMatchObject({ has_more: false, first_id: "model-a", last_id: "vendor/model-b" });
    expect(list.data[0]).toMatchObject({ type: "model", id: "model-a", display_name: "model-a" });
  });
});

describe("Chat Completions", () => {
  test("streams chunks with indexed tool calls, a usage chunk if asked for, and [DONE]", async () => {
    const seen = await events("/v1/chat/completions", { messages, stream_options: { include_usage: true } });
    const choices = seen.slice(0, -2).map(({ data }) => (data.choices as Json[])[0] as Json);
    expect(choices.map(({ delta }) => delta)).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "Why" },
      { reasoning_content: "\n\n" },
      { reasoning_content: "How" },
      { content: "Hell" },
      { content: "o" },
      {
        tool_calls: [
          { index: 0, id: "call_scripted_1_1_0", type: "function", function: { name: "one", arguments: "" } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] },
      {
        tool_calls: [
          { index: 1, id: "call_scripted_1_1_1", type: "function", function: { name: "two", arguments: "" } },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
      {},
    ]);
    expect(choices.at(-1)?.finish_reason).toBe("tool_calls");
    expect(seen[0]?.data.usage).toBeNull();
    expect(seen.at(-2)?.data).toMatchObject({
      object: "chat.completion.chunk",
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60 },
        completion_tokens_details: { reasoning_tokens: 5 },
        cost: 0.5,
      },
    });
    expect(seen.at(-1)?.data).toEqual({ done: true });
  });

  test("sends no usage to a client that did not ask", async () => {
    const seen = await events("/v1/chat/completions", { messages });
    expect(seen.some(({ data }) => "usage" in data)).toBe(false);
    expect(seen.slice(0, -1).every(({ data }) => (data.choices as Json[]).length === 1)).toBe(true);
  });

  test("sends usage to Codebuff, which expects it unasked", async () => {
    const tools = [{ type: "function", function: { name: "run_terminal_command" } }];
    const seen = await events("/api/v1/chat/completions", { messages, tools });
    expect(seen.at(-2)?.data.usage).toMatchObject({ total_tokens: 120 });
  });
});

describe("Responses", () => {
  test("streams the events that Codex needs, numbered without holes", async () => {
    const seen = await events("/v1/responses", { input: "hi", include: ["reasoning.encrypted_content"] });
    expect(seen.every(({ name, data }) => name === data.type)).toBe(true);
    expect(seen.map(({ data }) => data.sequence_number)).toEqual(seen.map((_, at) => at));
    const short = seen.map(({ data }) => [data.type, data.output_index].filter((one) => one !== undefined).join(" "));
    const summary = (at: number) =>
      ["part.added", "text.delta", "text.done", "part.done"].map((end) => `response.reasoning_summary_${end} ${at}`);
    const call = (at: number) => [
      `response.output_item.added ${at}`,
      `response.function_call_arguments.delta ${at}`,
      `response.function_call_arguments.done ${at}`,
      `response.output_item.done ${at}`,
    ];
    expect(short).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added 0",
      ...summary(0),
      ...summary(0),
      "response.output_item.done 0",
      "response.output_item.added 1",
      "response.content_part.added 1",
      "response.output_text.delta 1",
      "response.output_text.delta 1",
      "response.output_text.done 1",
      "response.content_part.done 1",
      "response.output_item.done 1",
      ...call(2),
      ...call(3),
      "response.completed",
    ]);
    const completed = seen.at(-1)?.data.response as { output: Json[]; usage: Json };
    expect(completed.usage).toEqual({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 120,
    });
    expect(completed.output).toMatchObject([
      { type: "reasoning", encrypted_content: "c2NyaXB0ZWQ=", summary: [{ text: "Why" }, { text: "How" }] },
      { type: "message", status: "completed", content: [{ type: "output_text", text: "Hello" }] },
      { type: "function_call", call_id: "call_scripted_1_1_0", name: "one", arguments: '{"a":1}' },
      { type: "function_call", call_id: "call_scripted_1_1_1", name: "two", arguments: "{}" },
    ]);
  });

  test("ends incomplete when the script stops at the length", async () => {
    const short = await startScriptedLlm({ script: { conversations: [{ turns: [{ text: "Cut", stop: "length" }] }] } });
    const response = await fetch(`${short.url}/v1/responses`, { method: "POST", body: '{"input":"x"}' });
    expect(await response.json()).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    await short.close();
  });
});

describe("Gemini", () => {
  const contents = [{ role: "user", parts: [{ text: "hi" }] }];
  const said = [
    { text: "Why", thought: true },
    { text: "\n\n", thought: true },
    { text: "How", thought: true },
    { text: "Hell" },
    { text: "o" },
    { functionCall: { name: "one", args: { a: 1 } } },
    { functionCall: { name: "two", args: {} } },
  ];
  const usageMetadata = {
    promptTokenCount: 100,
    cachedContentTokenCount: 60,
    candidatesTokenCount: 15,
    thoughtsTokenCount: 5,
    totalTokenCount: 120,
  };

  test("streams its parts, and the usage with the end", async () => {
    const seen = await events("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", { contents });
    const candidates = seen.map(({ data }) => (data.candidates as Json[])[0] as Json & { content: { parts: Json[] } });
    expect(candidates.slice(0, -1).flatMap(({ content }) => content.parts)).toEqual(said);
    expect(candidates.map(({ finishReason }) => finishReason).filter(Boolean)).toEqual(["STOP"]);
    expect(seen.at(-1)?.data).toMatchObject({ usageMetadata, modelVersion: "gemini-2.5-flash" });
  });

  test("answers as one without a stream, and says what is wrong in its own words", async () => {
    const whole = await post("/v1beta/models/gemini-2.5-flash:generateContent", { contents });
    expect(await whole.json()).toMatchObject({
      candidates: [{ content: { role: "model", parts: said }, finishReason: "STOP" }],
      usageMetadata,
    });
    const empty = await startScriptedLlm({
      script: { conversations: [{ match: { user: "other" }, turns: [{ text: "Never" }] }] },
    });
    const refused = await fetch(`${empty.url}/v1beta/models/m:generateContent`, {
      method: "POST",
      body: JSON.stringify({ contents }),
    });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { status: "INVALID_ARGUMENT" } }]);
    await empty.close();
  });
});

describe("Beside the model", () => {
  test("models are listed and found in OpenAI's shape", async () => {
    const get = async (path: string) => (await fetch(server.url + path)).json();
    expect(await get("/v1/models")).toMatchObject({
      object: "list",
      data: [{ id: "model-a" }, { id: "vendor/model-b" }],
    });
    expect(await get("/v1/models/vendor%2Fmodel-b")).toMatchObject({ id: "vendor/model-b", object: "model" });
    expect(await get("/v1/models/none")).toMatchObject({ error: { message: "No model none" } });
  });

  test("fixed routes of the script answer what else an agent asks", async () => {
    expect(await (await fetch(`${server.url}/api/v1/me?fields=id`)).json()).toEqual({ id: "user-1" });
    expect((await fetch(`${server.url}/api/hello`, { method: "HEAD" })).status).toBe(200);
    const unknown = await fetch(`${server.url}/api/none`);
    expect([unknown.status, server.requests().at(-1)?.outcome]).toEqual([404, "not_found"]);
    expect(server.failures()).toEqual([]);
  });

  test("a compressed body is read; one that cannot be read is refused with a reason", async () => {
    const body = new Uint8Array(gzipSync(JSON.stringify({ messages })));
    const send = (encoding: string, bytes: string | Uint8Array<ArrayBuffer>) => {
      const headers = { "content-encoding": encoding };
      return fetch(`${server.url}/v1/messages`, { method: "POST", headers, body: bytes });
    };
    expect((await send("gzip", body)).status).toBe(200);
    expect((await send("zstd", body)).status).toBe(415);
    expect((await send("gzip", "no gzip")).status).toBe(400);
    expect((await send("identity", "no json")).status).toBe(400);
    expect(server.failures().map(({ message }) => message)).toEqual([
      "Bodies in zstd are not understood here; send gzip, deflate, br or none",
      expect.stringContaining("The body is not gzip"),
      "The body is not JSON",
    ]);
  });

  test("the same script gives the same bytes to the same requests", async () => {
    const bytes = async () => (await post("/v1/responses", { input: "hi", stream: true })).text();
    const first = await bytes();
    server.reset();
    expect(await bytes()).toBe(first);
  });
});
