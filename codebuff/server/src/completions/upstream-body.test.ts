import { describe, expect, it } from "vitest";
import { readCall } from "../admission/chat-request.ts";
import type { ProviderName } from "../config.ts";
import type { Route } from "../routing/route.ts";
import { upstreamBody } from "./upstream-body.ts";

const text = 'a "quoted" \\ text, {with} [all] sorts: of \n signs and \u{1f600}';
const messages = [{ role: "user", content: [{ type: "text", text }] }];

function send(json: string, provider: ProviderName, isStreaming = true): string {
  const route: Route = { provider, model: "their/name", apiKey: "k", url: new URL("http://127.0.0.1") };
  return upstreamBody(readCall(Buffer.from(json)).body, { isStreaming, maxTokens: 9 }, route).toString();
}

describe("the body that goes to a provider", () => {
  const asked = {
    n: 2,
    model: "our/name",
    messages,
    max_tokens: 5,
    provider: { order: ["x"] },
    usage: { include: false },
    stream_options: { more: 1 },
    codebuff_metadata: { run_id: "r", deep: [{ "}": '"]' }] },
    temperature: 1e-7,
  };
  const rest = { messages, temperature: 1e-7 };

  it.each([
    [
      "openrouter",
      { max_tokens: 9, provider: { order: ["x"] }, usage: { include: true }, stream_options: { more: 1 } },
    ],
    ["fireworks", { max_tokens: 9, stream_options: { more: 1, include_usage: true } }],
    ["openai", { max_completion_tokens: 9, stream_options: { more: 1, include_usage: true } }],
  ] as const)("to %s: what is ours is gone, usage is asked for, the rest is as it was", (provider, own) => {
    for (const space of [undefined, 1, "\t"]) {
      const sent = send(JSON.stringify(asked, undefined, space), provider);
      expect(JSON.parse(sent)).toEqual({ ...rest, ...own, model: "their/name" });
    }
  });

  it("its texts are not written anew", () => {
    const body = ` {"messages" : [ "\\u0061" ,1.0 ] ,\n"model":"m", "codebuff_metadata":{}, "seed":1e2} `;
    expect(send(body, "openrouter")).toBe(
      '{"model":"their/name","max_tokens":9,"usage":{"include":true},"messages" : [ "\\u0061" ,1.0 ] ,"seed":1e2}',
    );
  });

  it("what could be read in two ways is written anew: keys twice or in escapes, broken text", () => {
    const twice = '{"model":"a","seed":1,"messages":[],"seed":9,"model":"b"}';
    expect(send(twice, "openrouter")).toBe(
      '{"model":"their/name","max_tokens":9,"usage":{"include":true},"seed":9,"messages":[]}',
    );
    expect(JSON.parse(send('{"mod\\u0065l":"a","codebuff_met\\u0061data":{},"messages":[]}', "openrouter"))).toEqual({
      model: "their/name",
      max_tokens: 9,
      usage: { include: true },
      messages: [],
    });
    const broken = Buffer.concat([Buffer.from('{"messages":["'), Buffer.from([0xff]), Buffer.from('"]}')]);
    const route: Route = { provider: "openrouter", model: "m", apiKey: "k", url: new URL("http://127.0.0.1") };
    expect(
      JSON.parse(upstreamBody(readCall(broken).body, { isStreaming: true, maxTokens: 9 }, route).toString()).messages,
    ).toEqual(["\ufffd"]);
  });
});
