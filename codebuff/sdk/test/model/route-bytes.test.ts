import { describe, expect, it } from "vitest";
import { backendRoute } from "../../src/model/backend-route.ts";
import { ownKeyRoute } from "../../src/model/own-key-route.ts";
import type { OwnProvider } from "../../src/model/own-keys.ts";
import { promptAiSdkStream } from "../../src/model/prompt-ai-sdk-stream.ts";
import type { Route } from "../../src/model/route.ts";
import { chatAnswer, httpService, messagesAnswer, sendJson, sendStream } from "../http-service.ts";
import { collect, impatientClock, modelRequest, noSignal, textOf } from "../model-request.ts";

const words = ["Grüße ", "aus 東京 ", "🙂 done"];
const whole = words.join("");
const redact = (text: string) => text;

function routeTo(kind: "chat" | "messages", url: string): Route {
  if (kind === "chat")
    return backendRoute({ baseUrl: url, apiKey: "k", clientId: "c", costMode: "normal" }, "anthropic/x");
  const provider: OwnProvider = {
    name: "anthropic",
    type: "anthropic",
    baseUrl: `${url}/v1`,
    apiKey: "k",
    model: undefined,
    source: "",
  };
  return ownKeyRoute(provider, "claude-haiku-4-5");
}

const answers = { chat: chatAnswer(words, { cost: 0.02 }), messages: messagesAnswer(words) };

describe.each(["chat", "messages"] as const)("a recorded %s answer", (kind) => {
  const bytes = Buffer.from(answers[kind]);

  it("cut at every byte: tried again before the first content, after it never shown whole and never finished twice", {
    timeout: 300_000,
  }, async () => {
    let cutAt = 0;
    let requests = 0;
    const { url } = await httpService((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const isFirst = requests++ === 0;
      if (!isFirst) return void response.end(bytes);
      response.write(bytes.subarray(0, cutAt), () => response.destroy());
    });
    for (cutAt = 0; cutAt < bytes.length; cutAt++) {
      requests = 0;
      const clock = impatientClock();
      const options = { routes: [routeTo(kind, url)], freeMode: false, clock, redact };
      const { signal } = new AbortController();
      const chunks = await collect(promptAiSdkStream(modelRequest(), options, signal));
      const finishes = chunks.filter(({ type }) => type === "finish").length;
      expect(chunks.filter(({ type }) => type === "error")).toEqual([]);
      expect(whole.startsWith(textOf(chunks))).toBe(true);
      if (finishes === 0) {
        // Content was shown: the stream just ends, and the loop does the step anew.
        expect([requests, clock.slept.length]).toEqual([1, 0]);
        expect(textOf(chunks)).not.toBe("");
      } else {
        expect([finishes, textOf(chunks), chunks.at(-1)?.type]).toEqual([1, whole, "finish"]);
      }
    }
  });

  it("in pieces of one byte, through characters and frames, is the same answer", async () => {
    const { url } = await httpService(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        if (byte > 127) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const options = { routes: [routeTo(kind, url)], freeMode: false, clock: impatientClock(), redact };
    const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
    expect([textOf(chunks), chunks.at(-1)]).toMatchObject([whole, { type: "finish", reason: "stop" }]);
  });
});

it("a call whose arguments were cut is not passed on", async () => {
  const answer = chatAnswer(["ok"], { tool: { name: "read_files", arguments: '{"paths":["a.txt"]}' } });
  const cut = answer.indexOf("a.txt") + 3;
  const broken = `${answer.slice(0, cut).replace(/[^\n]*$/, "")}data: ${JSON.stringify({ id: "gen-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "read_files", arguments: '{"paths":["a' } }] }, finish_reason: null }] })}\n\n`;
  const { url } = await httpService((_, response) => sendStream(response, broken));
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock: impatientClock(), redact };
  const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
  expect(chunks.filter(({ type }) => type !== "spent")).toEqual([{ type: "text-delta", text: "ok" }]);
});

it("honours Retry-After and gives up after four tries with status, code and message", async () => {
  const { url, seen } = await httpService((_, response) =>
    sendJson(response, 429, { error: "rate_limit_exceeded", message: "Come back later" }, { "retry-after": "1" }),
  );
  const clock = impatientClock();
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock, redact };
  const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
  expect(seen).toHaveLength(4);
  expect(clock.slept.map((ms) => Math.round(ms / 100) / 10)).toEqual([1, 1, 1]);
  expect(chunks.at(-1)).toEqual({
    type: "error",
    code: "rate_limit_exceeded",
    message: `Come back later (${new URL(url).origin}, 4 attempts)`,
    statusCode: 429,
  });
});

it("waits 2, 4 and 8 s when nothing is said, and not at all for more than a minute", async () => {
  let headers: Record<string, string> = {};
  const { url, seen } = await httpService((_, response) =>
    sendJson(response, 500, { error: { message: "oops" } }, headers),
  );
  const ask = async () => {
    const clock = impatientClock();
    const options = { routes: [routeTo("chat", url)], freeMode: false, clock, redact };
    return { clock, chunks: await collect(promptAiSdkStream(modelRequest(), options, noSignal)) };
  };
  const plain = await ask();
  expect(plain.clock.slept).toEqual([2_000, 4_000, 8_000]);
  expect(plain.chunks.at(-1)).toMatchObject({
    type: "error",
    message: `oops (${new URL(url).origin}, 4 attempts)`,
    statusCode: 500,
  });
  headers = { "retry-after": "3600" };
  seen.length = 0;
  await ask();
  expect(seen).toHaveLength(1);
});

const gates: readonly [status: number, body: unknown, expected: object][] = [
  [400, { message: "bad run" }, { code: "refused", message: "bad run" }],
  [401, { message: "no key" }, { code: "bad_credentials", message: "no key" }],
  [402, { message: "empty" }, { code: "out_of_credits", message: "empty" }],
  [403, { error: "account_suspended", message: "banned" }, { code: "account_suspended", message: "banned" }],
  [403, { error: { message: "banned", code: "account_suspended" } }, { code: "account_suspended", message: "banned" }],
  [413, { error: { message: "prompt is too long: 300000 tokens" } }, { code: "context_overflow" }],
];
it.each(gates)("status %i keeps code and text in one try", async (statusCode, body, expected) => {
  const { url, seen } = await httpService((_, response) => sendJson(response, statusCode, body));
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock: impatientClock(), redact };
  const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
  expect(seen).toHaveLength(1);
  expect(chunks).toMatchObject([{ type: "error", statusCode, ...expected }]);
});

it("an error frame in the stream is its last word", async () => {
  const answer = `${chatAnswer(["a"]).split("data: ").slice(0, 3).join("data: ")}data: {"error":{"message":"upstream broke","code":"bad"}}\n\n`;
  const { url } = await httpService((_, response) => sendStream(response, answer));
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock: impatientClock(), redact };
  const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
  expect(chunks.at(-1)).toMatchObject({ type: "error", message: "upstream broke" });
});

it("hangs up at the abort, also in a silent stream", async () => {
  let gone: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { url } = await httpService((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(answers.chat.slice(0, answers.chat.indexOf("東京")).replace(/[^\n]*$/, ""));
    response.on("close", gone);
  });
  const aborter = new AbortController();
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock: impatientClock(), redact };
  const read = async () => {
    for await (const chunk of promptAiSdkStream(modelRequest(), options, aborter.signal)) {
      if (chunk.type === "text-delta") aborter.abort();
    }
  };
  await expect(read()).rejects.toThrow();
  await closed;
});

it("takes the person's key out of what a service says", async () => {
  const { url } = await httpService((_, response) =>
    sendJson(response, 401, { error: { message: "Wrong key sk-secret-123" } }),
  );
  const clean = (text: string) => text.replaceAll("sk-secret-123", "[redacted]");
  const options = { routes: [routeTo("chat", url)], freeMode: false, clock: impatientClock(), redact: clean };
  const chunks = await collect(promptAiSdkStream(modelRequest(), options, noSignal));
  expect(chunks).toMatchObject([{ message: "Wrong key [redacted]" }]);
});
