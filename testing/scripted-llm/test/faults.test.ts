import { APICallError, streamText, type ToolSet, tool } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { TurnInput } from "../src/script/script.ts";
import { type ScriptedLlm, startScriptedLlm } from "../src/server.ts";
import { clients } from "./clients.ts";

let server: ScriptedLlm | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(...turns: TurnInput[]): Promise<ScriptedLlm> {
  server = await startScriptedLlm({ script: { conversations: [{ name: "main", turns }] } });
  return server;
}

const twoCalls = [
  { name: "look", input: { at: "a" } },
  { name: "look", input: { at: "b" } },
];

const tools: ToolSet = { look: tool({ inputSchema: z.object({ at: z.string() }) }) };

/** Everything one streamed call gives to its caller. */
async function callOf(name: string, url: string, maxRetries = 0) {
  const client = clients[name] as (typeof clients)[string];
  const result = streamText({ model: client(url), prompt: "go", tools, maxRetries, onError: () => {} });
  const seen = {
    text: "",
    errors: [] as unknown[],
    toolCalls: [] as { id: string; input: unknown; invalid: boolean }[],
  };
  try {
    for await (const part of result.fullStream) {
      if (part.type === "text-delta") seen.text += part.text;
      if (part.type === "error") seen.errors.push(part.error);
      if (part.type === "tool-call") {
        seen.toolCalls.push({ id: part.toolCallId, input: part.input, invalid: part.invalid === true });
      }
    }
  } catch (error) {
    seen.errors.push(error);
  }
  return seen;
}

/** An error and what it rests on, in words. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? `${error} ${wordsOf(error.cause)}` : String(error);
}

const post = (url: string, body: object = {}) => {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "go" }], ...body }),
  });
};

/** Bytes until the stream ends or breaks. */
async function bytesOf(response: Response): Promise<{ bytes: Buffer; error: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), error: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error };
  }
}

describe.each(Object.keys(clients))("Over %s", (name) => {
  test.each([401, 402, 429, 500, 529])(
    "status %i is an API error with that status and the scripted message",
    async (status) => {
      const { url } = await serve({ fault: { kind: "status", status, retryAfter: 7, message: "No more of this" } });
      const { errors, text } = await callOf(name, url);
      expect(text).toBe("");
      expect(errors).toHaveLength(1);
      const error = errors[0];
      if (!APICallError.isInstance(error)) throw new Error(`not an APICallError: ${String(error)}`);
      expect(error.statusCode).toBe(status);
      expect(error.message).toBe("No more of this");
      expect(error.isRetryable).toBe(status === 429 || status >= 500);
      expect(error.responseHeaders?.["retry-after"]).toBe("7");
    },
  );

  test("a 429 that passes is followed by the next turn when the client tries again", async () => {
    const { url, failures, requests } = await serve(
      { fault: { kind: "status", status: 429, retryAfter: 0.01 } },
      { text: "Back again." },
    );
    const { text, errors } = await callOf(name, url, 1);
    expect({ text, errors, failures: failures() }).toEqual({ text: "Back again.", errors: [], failures: [] });
    expect(requests().map(({ outcome, turn }) => [outcome, turn])).toEqual([
      ["fault", 1],
      ["replied", 2],
    ]);
  });

  test("a dropped stream keeps the text so far and ends in an error", async () => {
    const { url } = await serve({ text: "x".repeat(4_000), fault: { kind: "drop", atByte: 3_000 } });
    const { text, errors } = await callOf(name, url);
    expect(text).toMatch(/^x+$/);
    expect(text.length).toBeLessThan(4_000);
    expect(wordsOf(errors[0])).toContain("other side closed");
  });

  test("malformed SSE is a parse error", async () => {
    const { url } = await serve({ text: "Never complete", fault: { kind: "malformed", atEvent: 3 } });
    const { errors } = await callOf(name, url);
    expect(String(errors[0])).toMatch(/JSON/);
  });

  test("an error event in the stream is an error after the text before it", async () => {
    const { url } = await serve({ text: "Half", fault: { kind: "error_event", message: "Too busy now" } });
    const { text, errors } = await callOf(name, url);
    expect(text).toBe("Half");
    expect(JSON.stringify(errors) + String(errors[0])).toContain("Too busy now");
  });

  test("a slow drip of single bytes arrives whole", async () => {
    const { url } = await serve({ text: "Grüße 🌍", fault: { kind: "drip", bytes: 7, everyMs: 1 } });
    expect(await callOf(name, url)).toEqual({ text: "Grüße 🌍", errors: [], toolCalls: [] });
  });

  test("a stall that ends in a cut is an error after the silence", async () => {
    const { url } = await serve({ text: "Silence", fault: { kind: "stall", atByte: 30, forMs: 150 } });
    const { text, errors } = await callOf(name, url);
    expect(text).toBe("");
    expect(wordsOf(errors[0])).toContain("other side closed");
  });

  test("two calls with one id are still two calls", async () => {
    const { url } = await serve({ tools: twoCalls, fault: { kind: "duplicate_tool_ids" } });
    const { toolCalls, errors } = await callOf(name, url);
    expect(errors).toEqual([]);
    expect(toolCalls.map((call) => call.input)).toEqual([{ at: "a" }, { at: "b" }]);
  });

  test("invalid tool arguments are a call the client knows to be invalid", async () => {
    const { url } = await serve({
      tools: [{ name: "look", input: { at: "a" } }],
      fault: { kind: "invalid_arguments" },
    });
    const { toolCalls } = await callOf(name, url);
    expect(toolCalls).toMatchObject([{ input: '{"at":"a",', invalid: true }]);
  });
});

describe("On the wire", () => {
  test.each(["/v1/messages", "/v1/chat/completions", "/v1/responses"])(
    "duplicated tool ids are equal on %s",
    async (path) => {
      const { url } = await serve({ tools: twoCalls, fault: { kind: "duplicate_tool_ids" }, times: "always" });
      for (const stream of [true, false]) {
        const body = JSON.stringify({ stream, messages: [], input: "x" });
        const text = await (await fetch(url + path, { method: "POST", body })).text();
        const ids = text.match(/(toolu|call)_scripted_\d+_\d+_\d+/g) ?? [];
        expect(ids.length).toBeGreaterThanOrEqual(2);
        expect(new Set(ids).size).toBe(1);
      }
    },
  );

  test("a drop is exact to the byte and leaves the connection cut", async () => {
    const whole = await serve({ text: "The whole reply" });
    const { bytes: all } = await bytesOf(await post(whole.url));
    await whole.close();
    for (const atByte of [0, 1, 77, all.length - 1]) {
      const { url, close } = await serve({ text: "The whole reply", fault: { kind: "drop", atByte } });
      const { bytes, error } = await bytesOf(await post(url));
      expect(bytes.equals(all.subarray(0, atByte))).toBe(true);
      expect(String(error)).toContain("terminated");
      await close();
    }
  });

  test("a stall that goes on ends with every byte", async () => {
    const { url } = await serve({
      text: "Silence",
      fault: { kind: "stall", atByte: 40, forMs: 50, afterwards: "continue" },
    });
    const { bytes, error } = await bytesOf(await post(url));
    expect(error).toBeUndefined();
    expect(bytes.toString()).toMatch(/message_stop"}\n\n$/);
  });

  test("a client that gives up on a stall gets the next turn", async () => {
    const { url, failures } = await serve(
      { text: "Silence", fault: { kind: "stall", forMs: 600_000 } },
      { text: "Awake" },
    );
    const gaveUp = new AbortController();
    const first = await fetch(`${url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ stream: true, messages: [{ role: "user", content: "go" }] }),
      signal: gaveUp.signal,
    });
    gaveUp.abort();
    await expect(first.text()).rejects.toThrow();
    expect(await (await post(url, { stream: false })).json()).toMatchObject({
      content: [{ type: "text", text: "Awake" }],
    });
    expect(failures()).toEqual([]);
  });

  test("closing the server ends a stalled reply at once", async () => {
    const { url, close } = await serve({ text: "Silence", fault: { kind: "stall", forMs: 600_000 } });
    const response = await post(url);
    const read = bytesOf(response);
    await close();
    expect(String((await read).error)).toContain("terminated");
  });

  test("each provider's error has its own shape", async () => {
    const { url } = await serve({
      fault: { kind: "status", status: 429, retryAfter: 3, message: "Slow down" },
      times: "always",
    });
    const ask = async (path: string) => {
      const response = await fetch(url + path, { method: "POST", body: '{"messages":[],"input":"x"}' });
      return { retryAfter: response.headers.get("retry-after"), body: await response.json() };
    };
    expect(await ask("/v1/messages")).toEqual({
      retryAfter: "3",
      body: { type: "error", error: { type: "rate_limit_error", message: "Slow down" }, request_id: "req_scripted_1" },
    });
    const openai = { message: "Slow down", type: "requests", param: null, code: "rate_limit_exceeded" };
    expect(await ask("/v1/chat/completions")).toEqual({ retryAfter: "3", body: { error: openai } });
    expect(await ask("/v1/responses")).toEqual({ retryAfter: "3", body: { error: openai } });
  });

  test("a script's own code and body replace the usual ones", async () => {
    const { url } = await serve(
      { fault: { kind: "status", status: 429, code: "insufficient_quota" } },
      { fault: { kind: "status", status: 403, body: { error: "gate_403" }, headers: { "x-gate": "yes" } } },
    );
    const ask = () => fetch(`${url}/v1/responses`, { method: "POST", body: '{"input":"x"}' });
    expect(await (await ask()).json()).toMatchObject({ error: { code: "insufficient_quota" } });
    const gate = await ask();
    expect([gate.headers.get("x-gate"), await gate.json()]).toEqual(["yes", { error: "gate_403" }]);
  });
});
