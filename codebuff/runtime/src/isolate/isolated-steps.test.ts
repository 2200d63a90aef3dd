import type { HandleSteps, PublicAgentState, StepReply } from "@muster/codebuff-protocol";
import { afterEach, describe, expect, test } from "vitest";
import type { Steps, StepsStart } from "../ports.ts";
import { startLocalSteps } from "../steps/local-steps.ts";
import { startIsolatedSteps } from "./isolated-steps.ts";

const agentState: PublicAgentState = {
  agentId: "a1",
  runId: "r1",
  parentId: undefined,
  messageHistory: [{ role: "user", content: [{ type: "text", text: "héllo 💡" }] }],
  output: undefined,
  systemPrompt: "s",
  toolDefinitions: [],
  contextTokenCount: 12,
};
type Generated = ReturnType<HandleSteps>;
const warnings: string[] = [];
const start: StepsStart = {
  agentState,
  prompt: "count",
  params: { to: 2 },
  log: { write: async () => undefined, warn: (message) => void warnings.push(message) },
};
/** Time is generous where another limit is meant to strike: the machine may be busy. */
const limits = { resumeMs: 60_000, memoryBytes: 24 << 20 };
const impatient = { ...limits, resumeMs: 1_000 };
const opened: Steps[] = [];

afterEach(() => {
  for (const steps of opened.splice(0)) steps.close();
  warnings.length = 0;
});

describe("the same protocol as a local generator", () => {
  const generators: Record<string, HandleSteps> = {
    *"tools, steps and texts"({ prompt, params, agentState: state }): Generated {
      const { toolResult } = yield { toolName: "glob", input: { pattern: `${prompt}-${params?.to}` } };
      yield { type: "STEP_TEXT", text: JSON.stringify([toolResult, state.messageHistory[0], state.contextTokenCount]) };
      const { stepsComplete, agentState: now } = yield "STEP";
      yield { toolName: "set_output", input: { stepsComplete, id: now.agentId }, includeToolCall: false };
      yield "STEP_ALL";
    },
    *"many answers"(): Generated {
      const { nResponses } = yield { type: "GENERATE_N", n: 3 };
      yield { type: "STEP_TEXT", text: (nResponses ?? []).join("|") };
    },
    *"nothing at all"(): Generated {},
    *"a throw"(): Generated {
      yield "STEP";
      throw new Error("no way");
    },
    *"a bad value"(): Generated {
      yield "JUMP" as "STEP";
    },
    *"a value that is not JSON"(): Generated {
      yield (() => 1) as unknown as "STEP";
    },
  };
  test.each(Object.keys(generators))("%s", async (title) => {
    const generator = generators[title];
    if (generator === undefined) throw new Error(title);
    const local = await play(startLocalSteps(generator, start));
    const source = generator.toString().replace(/^\*"[^"]*"/, "function* ");
    expect(await play(await isolated(source))).toEqual(local);
  });
});

describe("what the foreign code may not do", () => {
  test.each([
    ["an endless loop", "function* () { while (true) {} }", /longer than 1000 ms/],
    [
      "an endless loop that catches",
      "function* () { while (true) { try { while (true) {} } catch {} } }",
      /longer than/,
    ],
    ["a slow regular expression", "function* () { /(a+)+$/.test('a'.repeat(60) + '!'); yield 'STEP'; }", /longer than/],
    [
      "a native loop that looks at no clock",
      "function* () { Array.prototype.indexOf.call({ length: 2 ** 52 }, 1); }",
      /did not answer/,
    ],
    ["a bomb of objects", "function* () { const all = []; for (;;) all.push({ all: [] }); }", /MiB of memory/],
    ["a bomb of arrays that grow in place", "function* () { const all = []; for (;;) all.push(7); }", /MiB of memory/],
    ["a bomb of buffers", "function* () { new ArrayBuffer(1e9); }", /MiB of memory/],
    ["a long text", "function* () { let text = 'x'; for (;;) text += text; }", /MiB of memory|too long/],
    ["endless recursion", "function* () { (function f() { f(); })(); }", /stack/],
    ["a plain function", "function () { return 1; }", /generator function/],
    ["an async generator", "async function* () { yield 'STEP'; }", /generator function/],
    ["no function at all", "42", /not a function/],
    ["broken text", "function* () { yield ", /./],
    ["imports", "function* () { require('fs'); }", /require is not defined/],
    [
      "a huge yield",
      "function* () { yield { type: 'STEP_TEXT', text: 'x'.repeat(9e6) }; }",
      /characters at once|memory/,
    ],
  ])("%s", async (_title, source, message) => {
    const isAboutTime = /longer than|did not answer/.test(message.source);
    const steps = await isolated(source, isAboutTime ? impatient : limits);
    await expect(steps.next(undefined)).rejects.toThrow(message);
  });

  test("reach anything but the language itself", async () => {
    const names =
      "process require module fetch setTimeout console Buffer WebAssembly XMLHttpRequest importScripts std os";
    const steps = await isolated(`function* () {
      const found = "${names}".split(" ").filter((name) => typeof globalThis[name] !== "undefined");
      yield { type: "STEP_TEXT", text: found.join(" ") };
    }`);
    expect(await steps.next(undefined)).toEqual({ type: "STEP_TEXT", text: "" });
  });

  test("climb out through constructors", async () => {
    const steps = await isolated(`function* (input) {
      const tries = [
        () => input.constructor.constructor("return typeof process")(),
        () => input.logger.warn.constructor("return typeof process")(),
        () => globalThis.constructor.constructor("return this.process")(),
        () => eval("typeof require"),
        () => Object.getPrototypeOf(function* () {}).constructor("yield typeof process")().next().value,
        () => input.logger.warn.call.call(Function, "return typeof process"),
      ];
      yield { type: "STEP_TEXT", text: JSON.stringify(tries.map((go) => { try { return String(go()); } catch (e) { return "threw"; } })) };
    }`);
    const yielded = await steps.next(undefined);
    if (typeof yielded !== "object" || !("text" in yielded)) throw new Error("no text");
    for (const found of JSON.parse(yielded.text)) expect(found).toMatch(/^(?:undefined|threw|function anonymous)/);
  });

  test("change what is on this side of the border", async () => {
    const steps = await isolated(`function* (input) {
      Object.prototype.polluted = 1; Array.prototype.map = null; JSON.stringify = () => "{}"; JSON.parse = null;
      input.agentState.agentId = "other";
      const reply = yield { toolName: "glob", input: { __proto__: { evil: 1 }, pattern: "x" } };
      yield { type: "STEP_TEXT", text: reply.agentState.agentId };
    }`);
    expect(await steps.next(undefined)).toEqual({ toolName: "glob", input: { pattern: "x" } });
    expect(await steps.next(reply())).toEqual({ type: "STEP_TEXT", text: "a1" });
    expect([({} as Record<string, unknown>).polluted, agentState.agentId]).toEqual([undefined, "a1"]);
  });

  test("mark a plan, which opens the gate for writing", async () => {
    const steps = await isolated(`function* () { yield { toolName: "ask_user", input: {}, plan: { text: "mine" } }; }`);
    expect(await steps.next(undefined)).toEqual({ toolName: "ask_user", input: {} });
  });
});

test("warnings of the foreign code are logged, at most a hundred per resume", async () => {
  const steps = await isolated(`function* ({ logger }) {
    for (let i = 0; i < 500; i += 1) logger.warn({ i }, "odd");
    logger.debug("quiet");
    yield "STEP";
  }`);
  await steps.next(undefined);
  expect([warnings.length, warnings[0]]).toEqual([100, '["odd",{"i":0}]']);
});

test("after the end, a throw or close it only returns", async () => {
  const thrown = await isolated("function* () { throw new Error('x'); }");
  await expect(thrown.next(undefined)).rejects.toThrow("x");
  expect(await thrown.next(reply())).toEqual({ type: "return" });
  const closed = await isolated("function* () { yield 'STEP'; yield 'STEP'; }");
  expect(await closed.next(undefined)).toBe("STEP");
  closed.close();
  closed.close();
  expect(await closed.next(reply())).toEqual({ type: "return" });
});

async function isolated(source: string, given = limits): Promise<Steps> {
  const steps = await startIsolatedSteps(source, start, { limits: given });
  opened.push(steps);
  return steps;
}

function reply(): StepReply {
  return {
    agentState,
    toolResult: [{ type: "json", value: { files: ["a"] } }],
    stepsComplete: true,
    nResponses: ["one", "two", "three"],
  };
}

/** Everything a generator yields, with how it ended; a bad value ends it like a throw does. */
async function play(steps: Steps): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for (let next = await steps.next(undefined); ; next = await steps.next(reply())) {
      seen.push(next);
      if (typeof next === "object" && "type" in next && next.type === "return") return seen;
    }
  } catch (error) {
    return [...seen, String(error).replace(/yielded .+?;/, "yielded …;")];
  } finally {
    steps.close();
  }
}
