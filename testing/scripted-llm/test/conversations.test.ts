import { generateText, stepCountIs, streamText, tool } from "ai";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ScriptInput } from "../src/script/script.ts";
import { type ScriptedLlm, type ScriptedLlmOptions, startScriptedLlm } from "../src/server.ts";
import { clients } from "./clients.ts";

let server: ScriptedLlm | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(script: ScriptInput, options: Partial<ScriptedLlmOptions> = {}): Promise<ScriptedLlm> {
  server = await startScriptedLlm({ ...options, script });
  return server;
}

type Message = { role: string; content: unknown };

async function say(url: string, messages: Message[], more: object = {}, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/v1/messages`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "m", messages, ...more }),
  });
  const body = (await response.json()) as { content?: { text?: string }[]; error?: { message: string } };
  return body.content?.[0]?.text ?? `${response.status} ${body.error?.message}`;
}

const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string): Message => ({ role: "assistant", content });

const names = Object.keys(clients);
const tools = { step: tool({ inputSchema: z.object({ who: z.string() }), execute: ({ who }) => `result of ${who}` }) };

describe("200 conversations at once", () => {
  test("do not mix when each has its own prompt and script", async () => {
    const conversations = Array.from({ length: 200 }, (_, at) => ({
      name: `c${at}`,
      match: { firstUser: `=I am number ${at}` },
      turns: [
        { tools: [{ name: "step", input: { who: `${at}-a` } }], usage: { input: 1_000 + at, output: 1 } },
        { expect: { toolResult: `=result of ${at}-a` }, tools: [{ name: "step", input: { who: `${at}-b` } }] },
        {
          expect: { toolResult: `=result of ${at}-b` },
          text: `Goodbye ${at}`,
          usage: { input: 1, output: 2_000 + at },
        },
      ],
    }));
    const { url, failures, requests } = await serve({ pace: { chars: 4, delayMs: 1 }, conversations });
    const results = await Promise.all(
      conversations.map(async (_, at) => {
        const client = clients[names[at % names.length] ?? ""] as (typeof clients)[string];
        const result = streamText({
          model: client(url),
          prompt: `I am number ${at}`,
          tools,
          stopWhen: stepCountIs(4),
          maxRetries: 0,
        });
        await result.consumeStream();
        const steps = await result.steps;
        return { text: await result.text, first: steps[0]?.usage.inputTokens, last: steps[2]?.usage.outputTokens };
      }),
    );
    expect(failures()).toEqual([]);
    expect(requests()).toHaveLength(600);
    expect(results).toEqual(
      conversations.map((_, at) => ({ text: `Goodbye ${at}`, first: 1_000 + at, last: 2_000 + at })),
    );
  });

  test("do not mix when all say the same words and share one script", async () => {
    const { url, failures, requests } = await serve({
      conversations: [
        {
          turns: [
            { tools: [{ name: "step", input: { who: "one" } }] },
            { expect: { toolResult: "=result of one" }, tools: [{ name: "step", input: { who: "two" } }] },
            { expect: { toolResult: "=result of two" }, text: "Done" },
          ],
        },
      ],
    });
    const texts = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const client = clients[names[at % names.length] ?? ""] as (typeof clients)[string];
        const result = await generateText({
          model: client(url),
          prompt: "The same",
          tools,
          stopWhen: stepCountIs(4),
          maxRetries: 0,
        });
        return result.text;
      }),
    );
    expect(failures()).toEqual([]);
    expect(texts).toEqual(Array.from({ length: 200 }, () => "Done"));
    expect(requests().filter(({ turn }) => turn === 3)).toHaveLength(200);
  });
});

describe("A request finds its conversation", () => {
  const twoTurns = { conversations: [{ turns: [{ text: "one" }, { text: "two" }] }] };

  test("by its history: follow-ups go on, the same opening words start anew", async () => {
    const { url } = await serve(twoTurns);
    expect(await say(url, [user("hi")])).toBe("one");
    expect(await say(url, [user("hi"), assistant("one"), user("and?")])).toBe("two");
    expect(await say(url, [user("hi")])).toBe("one");
  });

  test("by the session its agent names, when two agents say the same", async () => {
    const { url } = await serve({
      conversations: [{ turns: [{ match: { system: "X" }, text: "for X" }, { text: "plain 1" }, { text: "plain 2" }] }],
    });
    const inA = { "x-claude-code-session-id": "a" };
    const inB = { "x-claude-code-session-id": "b" };
    const followUp = [user("hi"), assistant("something"), user("go on")];
    expect(await say(url, [user("hi")], { system: "X" }, inA)).toBe("for X");
    expect(await say(url, [user("hi")], { system: "Y" }, inB)).toBe("plain 1");
    expect(await say(url, followUp, { system: "X" }, inA)).toBe("plain 1");
    expect(await say(url, followUp, { system: "Y" }, inB)).toBe("plain 2");
  });

  test("by what a sub-agent was told, and by the system prompt of a side request", async () => {
    const { url, failures } = await serve({
      conversations: [
        { name: "title", match: { system: "title generator" }, turns: [{ text: "A title", times: "always" }] },
        { name: "sub", match: { firstUser: "sub task" }, turns: [{ text: "sub one" }, { text: "sub two" }] },
        { name: "main", match: { firstUser: "main task" }, turns: [{ text: "main one" }, { text: "main two" }] },
      ],
    });
    expect(await say(url, [user("main task")], { system: "You are a title generator" })).toBe("A title");
    expect(await say(url, [user("main task")], { system: "You are an agent" })).toBe("main one");
    expect(await say(url, [user("sub task")])).toBe("sub one");
    expect(await say(url, [user("main task"), assistant("main one"), user("go")])).toBe("main two");
    expect(await say(url, [user("sub task"), assistant("sub one"), user("go")])).toBe("sub two");
    expect(await say(url, [user("main task")], { system: "title generator" })).toBe("A title");
    expect(failures()).toEqual([]);
  });

  test("by name, when the client says it in a header", async () => {
    const { url } = await serve({
      conversations: [
        { name: "a", turns: [{ text: "from a" }] },
        { name: "b", turns: [{ text: "from b" }] },
      ],
    });
    expect(await say(url, [user("x")], {}, { "x-scripted-conversation": "b" })).toBe("from b");
    expect(await say(url, [user("x")], {}, { "x-scripted-conversation": "c" })).toBe(
      '400 scripted-llm: The script has no conversation called "c"',
    );
  });

  test("by each prompt, where the conversation is per prompt", async () => {
    const { url } = await serve({
      conversations: [
        { name: "greet", each: "prompt", match: { user: "[greet]" }, turns: [{ text: "hello" }] },
        { name: "part", each: "prompt", match: { user: "[part]" }, turns: [{ text: "goodbye" }] },
      ],
    });
    const history = [user("[greet]")];
    expect(await say(url, history)).toBe("hello");
    history.push(assistant("hello"), user("[part]"));
    expect(await say(url, history)).toBe("goodbye");
    history.push(assistant("goodbye"), user("[greet]"));
    expect(await say(url, history)).toBe("hello");
  });

  test("by the response it follows, when the history stays with the service", async () => {
    const { url } = await serve(twoTurns);
    const respond = async (body: object) => {
      const response = await fetch(`${url}/v1/responses`, { method: "POST", body: JSON.stringify(body) });
      return (await response.json()) as { id: string; output: { content: { text: string }[] }[] };
    };
    const first = await respond({ input: "hi" });
    const second = await respond({ input: "more", previous_response_id: first.id });
    expect(second.output[0]?.content[0]?.text).toBe("two");
  });

  test("whatever reminders its agent puts around the words", async () => {
    const { url } = await serve({
      conversations: [{ match: { firstUser: "=fix it" }, turns: [{ text: "one" }, { text: "two" }] }],
    });
    const around = (text: string) => [
      { type: "text", text: "<system-reminder>\ndate\n</system-reminder>" },
      { type: "text", text },
    ];
    expect(await say(url, [{ role: "user", content: around("fix it") }])).toBe("one");
    const marked = "<user_message>fix it</user_message>";
    const codebuff = [
      user(marked),
      user("INSTRUCTIONS OF THE AGENT"),
      user("<system_reminder>STEP 3</system_reminder>"),
    ];
    expect(await say(url, codebuff, {}, { "x-scripted-session": "other" })).toBe("one");
  });
});

describe("A turn", () => {
  test("waits for the request it matches; the others go on in order", async () => {
    const { url } = await serve({
      conversations: [
        { turns: [{ match: { toolResult: "failed" }, text: "repair" }, { text: "first" }, { text: "second" }] },
      ],
    });
    const result = (content: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content }],
    });
    const history = [user("go")];
    expect(await say(url, history)).toBe("first");
    history.push(assistant("first"), result("it failed"));
    expect(await say(url, history)).toBe("repair");
    history.push(assistant("repair"), result("fine"));
    expect(await say(url, history)).toBe("second");
  });

  test("may be a function of the request", async () => {
    const { url } = await serve({
      conversations: [{ turns: [(request) => ({ text: `${request.protocol} heard ${request.userTexts.at(-1)}` })] }],
    });
    expect(await say(url, [user("this")])).toBe("anthropic heard this");
  });

  test("that is a function and returns nonsense is a failure with its place, not a hang", async () => {
    const { url, failures } = await serve({
      conversations: [{ name: "odd", turns: [() => ({ tools: [{ name: "" }] })] }],
    });
    expect(await say(url, [user("x")])).toMatch(/^400 .*odd, turn 1 \(function\): field tools\[0\]\.name/);
    expect(failures()).toMatchObject([{ conversation: "odd", turn: 1 }]);
  });
});

describe("What the script did not foresee", () => {
  test("gets a clear 400 in the provider's words and is a failure", async () => {
    const seen: string[] = [];
    const { url, failures, requests } = await serve(
      { conversations: [{ name: "main", match: { firstUser: "hello" }, turns: [{ text: "hi" }] }] },
      { onFailure: ({ message }) => seen.push(message) },
    );
    const reason = 'No conversation of the script matches this request: main wants firstUser "hello", found "other"';
    expect(await say(url, [user("other")])).toBe(`400 scripted-llm: ${reason}`);
    expect(await say(url, [user("hello")])).toBe("hi");
    const used = "main: all 1 turns are used up";
    expect(await say(url, [user("hello"), assistant("hi"), user("more")])).toBe(`400 scripted-llm: ${used}`);
    expect(failures().map(({ requestNumber, message }) => [requestNumber, message])).toEqual([
      [1, reason],
      [3, used],
    ]);
    expect(seen).toEqual([reason, used]);
    expect(requests().map(({ outcome }) => outcome)).toEqual(["unanswered", "replied", "unanswered"]);
  });

  test("in an assertion is answered as scripted and reported", async () => {
    const { url, failures } = await serve({
      conversations: [{ name: "main", turns: [{ expect: { system: "be brief", not: { model: "m" } }, text: "ok" }] }],
    });
    expect(await say(url, [user("x")], { system: "be long" })).toBe("ok");
    expect(failures()).toEqual([
      { requestNumber: 1, conversation: "main", turn: 1, message: 'expected system "be brief", found "be long"' },
      { requestNumber: 1, conversation: "main", turn: 1, message: 'expected not.model "m", found "m"' },
    ]);
  });

  test("in the tools of an agent is a failure", async () => {
    const { url, failures } = await serve({
      agent: "amp",
      conversations: [{ turns: [{ tools: [{ name: "ask_question" }] }] }],
    });
    expect(await say(url, [user("x")])).toBe('400 scripted-llm: amp has no tool for "ask_question"');
    expect(failures()).toHaveLength(1);
  });

  test("is forgotten by reset, and the script starts anew", async () => {
    const { url, failures, requests, reset } = await serve({ conversations: [{ turns: [{ text: "one" }] }] });
    await say(url, [user("x")]);
    await say(url, [user("x"), assistant("one"), user("y")]);
    expect([requests().length, failures().length]).toEqual([2, 1]);
    reset();
    expect([requests().length, failures().length]).toEqual([0, 0]);
    expect(await say(url, [user("x")])).toBe("one");
  });
});
