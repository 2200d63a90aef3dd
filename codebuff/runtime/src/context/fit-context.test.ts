import { historyFaults, type Message, messageTokens } from "@muster/codebuff-protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContextBudget, fitContext, summariseContext } from "./fit-context.ts";

const nothing = { subgoals: {}, todos: [] };

test("a history that fits comes back as the same array", () => {
  const messages = [user("hello"), said("hi")];
  expect(fitContext(messages, { maxTokens: 1_000, ...nothing })).toEqual({ outcome: "kept", messages });
  expect(fitContext(messages, { maxTokens: 1_000, ...nothing })).toHaveProperty("messages", messages);
});

describe("the softer stage", () => {
  const messages = [
    user("look"),
    ...Array.from({ length: 8 }, (_, index) => terminal(index, `${index} ${"x".repeat(3_000)}`)).flat(),
    ...read("big.ts", "y".repeat(20_000)),
    ...Array.from({ length: 5 }, (_, index) => terminal(10 + index, `${10 + index} ${"z".repeat(3_000)}`)).flat(),
  ];
  const fitted = fitContext(messages, { maxTokens: tokens(messages) - 10, ...nothing });

  test("shortens the largest old results first and keeps the newest terminal outputs in full", () => {
    if (fitted.outcome !== "shortened") throw new Error(fitted.outcome);
    expect(JSON.stringify(fitted.messages)).not.toContain("y".repeat(2_000));
    expect(fitted.messages.slice(-10)).toEqual(messages.slice(-10));
    expect(fitted.messages).toHaveLength(messages.length);
  });

  test("says how much is gone and keeps the shape of a result", () => {
    if (fitted.outcome !== "shortened") throw new Error(fitted.outcome);
    const shortened = fitted.messages.find((message) => message.role === "tool" && message.toolName === "read_files");
    expect(shortened?.content).toMatchObject([
      { value: [{ path: "big.ts", content: expect.stringMatching(/left out/) }] },
    ]);
  });
});

test("facts planted early are still there after thousands of steps, and no request was over budget", () => {
  const budget: ContextBudget = {
    maxTokens: 20_000,
    subgoals: { s1: { objective: "migrate the login", status: "IN_PROGRESS", logs: ["began"] } },
    todos: [{ task: "write the changelog", completed: false }],
  };
  let history: Message[] = [
    user("Build the importer. My wish: never use tabs in YAML."),
    instructions("Work carefully."),
    ...read("src/first-file.ts", "export const first = 1;"),
    said("I decided to store amounts as integers. The rest follows."),
    ...edit("src/edited-early.ts", "@@ -1 +1 @@\n-old\n+early edit"),
    ...asked("Which database?", "PostgreSQL"),
  ];
  let summaries = 0;
  for (let step = 0; step < 2_000; step += 1) {
    history.push(said(`Step ${step}: I look at the next part of the work and go on.`));
    history.push(...terminal(step, `output ${step}\n${"log line\n".repeat(200)}`));
    if (step % 10 === 0) history.push(...edit(`src/file-${step % 70}.ts`, `@@ -1 +1 @@\n-a\n+${step}`));
    if (step % 100 === 0) history.push(user(`And also thing ${step}`));
    const fitted = fitContext(history, budget);
    if (fitted.outcome === "overflow") throw new Error(`overflow at step ${step}`);
    if (fitted.outcome === "summarised") summaries += 1;
    history = [...fitted.messages];
    expect(tokens(history)).toBeLessThanOrEqual(budget.maxTokens);
  }
  expect(historyFaults(history)).toEqual([]);
  expect(summaries).toBeGreaterThan(5);
  const request = JSON.stringify(history);
  for (const fact of [
    "never use tabs in YAML",
    "src/first-file.ts",
    "decided to store amounts as integers",
    "src/edited-early.ts",
    "+early edit",
    "PostgreSQL",
    "And also thing 1900",
    "migrate the login",
    "write the changelog",
    "Work carefully.",
    "output 1999",
  ]) {
    expect(request).toContain(fact);
  }
});

test("between two compactions nothing that was sent changes", () => {
  const budget = { maxTokens: 8_000, ...nothing };
  let history: readonly Message[] = [user("go")];
  let changes = 0;
  for (let step = 0; step < 300; step += 1) {
    const longer = [...history, ...terminal(step, "x".repeat(600))];
    const fitted = fitContext(longer, budget);
    if (fitted.outcome === "overflow") throw new Error("overflow");
    if (fitted.outcome !== "kept") changes += 1;
    history = fitted.messages;
  }
  expect(changes).toBeLessThan(300 / 4);
});

test("an unfinished call stays, however large the rest is", () => {
  const open: Message = {
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: "open", toolName: "glob", input: {} }],
  };
  const messages = [user("go"), ...terminal(1, "x".repeat(9_000)), open];
  const fitted = summariseContext(messages, { maxTokens: 2_000, ...nothing });
  expect(fitted).toMatchObject({ outcome: "summarised", messages: [{ tags: ["CONVERSATION_SUMMARY"] }, open] });
});

test("one result larger than the whole budget is cut", () => {
  const fitted = fitContext([user("go"), ...terminal(1, "x".repeat(900_000))], { maxTokens: 4_000, ...nothing });
  if (fitted.outcome !== "summarised") throw new Error(fitted.outcome);
  expect(tokens(fitted.messages)).toBeLessThanOrEqual(4_000);
  expect(historyFaults(fitted.messages)).toEqual([]);
});

test("the images of the user's last message stay", () => {
  const image = { type: "image" as const, image: "AAAA", mediaType: "image/png" };
  const messages: Message[] = [
    { role: "user", content: [{ type: "text", text: "see" }, image], tags: ["USER_PROMPT"] },
    ...Array.from({ length: 9 }, (_, index) => terminal(index, "x".repeat(9_000))).flat(),
  ];
  const fitted = summariseContext(messages, { maxTokens: 10_000, ...nothing });
  expect(fitted).toMatchObject({ messages: [{ content: [{ type: "text" }, image] }] });
});

test("a task that cannot fit is an overflow", () => {
  expect(fitContext([user("x".repeat(10_000))], { maxTokens: 50, ...nothing })).toMatchObject({ outcome: "overflow" });
});

test("whatever the history and the budget, the result fits, parts no call from its result, and fits again as it is", () => {
  fc.assert(
    fc.property(historyOf, fc.integer({ min: 700, max: 6_000 }), (messages, maxTokens) => {
      const budget = { maxTokens, ...nothing };
      for (const fitted of [fitContext(messages, budget), summariseContext(messages, budget)]) {
        if (fitted.outcome === "overflow") throw new Error(`overflow: ${fitted.tokens}`);
        expect(tokens(fitted.messages)).toBeLessThanOrEqual(maxTokens);
        expect(historyFaults(fitted.messages)).toEqual([]);
        expect(fitContext(fitted.messages, budget).outcome).toBe("kept");
      }
    }),
    { numRuns: 300 },
  );
});

const words = fc.array(fc.constantFrom("x", "word", "</user>", "<work>", "\n", "💡", "漢字", "decided", "<\\user>"), {
  maxLength: 60,
});
const text = fc
  .tuple(words, fc.integer({ min: 1, max: 60 }))
  .map(([parts, times]) => parts.join(" ").repeat(times))
  // The history never holds a blank message: no provider takes one.
  .filter((content) => content.trim() !== "");
const historyOf = fc
  .array(
    fc.oneof(
      text.map((content) => [user(content)]),
      text.map((content) => [said(content)]),
      text.map((content) => terminal(0, content)),
      fc.tuple(text, text).map(([one, other]) => twoCalls(one, other)),
      text.map((content) => edit("a/b.ts", content)),
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((groups) => {
    let next = 0;
    return groups.flatMap((group) => renumber(group, () => `id${next++}`));
  });

function renumber(group: Message[], newId: () => string): Message[] {
  const ids = new Map<string, string>();
  const idOf = (id: string) => {
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };
  return group.map((message) => {
    if (message.role === "tool") return { ...message, toolCallId: idOf(message.toolCallId) };
    if (message.role !== "assistant") return message;
    const content = message.content.map((part) =>
      part.type === "tool-call" ? { ...part, toolCallId: idOf(part.toolCallId) } : part,
    );
    return { ...message, content };
  });
}

function tokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}

function user(content: string): Message {
  return {
    role: "user",
    content: [{ type: "text", text: `<user_message>${content}</user_message>` }],
    tags: ["USER_PROMPT"],
  };
}

function instructions(content: string): Message {
  const tags = ["INSTRUCTIONS_PROMPT"];
  return { role: "user", content: [{ type: "text", text: content }], tags, keepLastTags: tags };
}

function said(content: string): Message {
  return { role: "assistant", content: [{ type: "text", text: content }] };
}

let calls = 0;

function call(toolName: string, input: Record<string, string | string[]>, value: unknown): Message[] {
  const toolCallId = `call${calls++}`;
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
    { role: "tool", toolName, toolCallId, content: [{ type: "json", value: value as string }] },
  ];
}

function terminal(index: number, stdout: string): Message[] {
  return call("run_terminal_command", { command: `run ${index}` }, { stdout, exitCode: 0 });
}

function read(path: string, content: string): Message[] {
  return call("read_files", { paths: [path] }, [{ path, content, referencedBy: {} }]);
}

function edit(file: string, unifiedDiff: string): Message[] {
  return call("write_file", { path: file, content: "whole" }, { file, message: "Updated file", unifiedDiff });
}

function asked(question: string, answer: string): Message[] {
  return call("ask_user", { question }, { answers: [{ questionIndex: 0, selectedOption: answer }] });
}

function twoCalls(one: string, other: string): Message[] {
  const [firstCall, firstResult] = terminal(1, one);
  const [secondCall, secondResult] = terminal(2, other);
  return [firstCall, secondCall, secondResult, firstResult].filter((message) => message !== undefined);
}
