import { describe, expect, it } from "vitest";
import { toolTime } from "../blocks/tool-lines.ts";
import { fold, foldAll } from "./fold.ts";
import type { Entry, Happening, Item } from "./items.ts";

const at = (happenings: readonly Happening[]): Entry[] => happenings.map((one, n) => ({ ...one, at: n * 10 }) as Entry);
const start: Happening = { type: "start", messageHistoryLength: 0, model: "m" };
const finish: Happening = { type: "finish", totalCost: 3, totalCostUsd: 0.03, status: "completed" };
const call = (toolCallId: string, agentId?: string): Happening => ({
  type: "tool_call",
  toolCallId,
  toolName: "read_files",
  input: { paths: ["a"] },
  agentId,
});
const result = (toolCallId: string): Happening => ({
  type: "tool_result",
  toolCallId,
  toolName: "read_files",
  output: [{ type: "json", value: {} }],
});
const agent = (agentId: string, parentAgentId?: string) => ({
  agentId,
  agentType: "helper",
  displayName: `Helper ${agentId}`,
  onlyChild: false,
  parentAgentId,
  prompt: "look",
});

describe("fold", () => {
  it("joins deltas to one text and ends it with whatever comes next", () => {
    const items = foldAll(
      at([
        { type: "user_message", messageId: "1", text: "hi", attachments: ["shot.png"] },
        start,
        { type: "text", text: "\n\nHel" },
        { type: "text", text: "lo" },
        call("t1"),
        { type: "tool_progress", toolCallId: "t1", toolName: "read_files", output: "half" },
        result("t1"),
        finish,
      ]),
    );
    expect(items).toEqual([
      { kind: "user", text: "hi", attachments: ["shot.png"], steers: false },
      { kind: "run", startedAt: 10, model: "m" },
      { kind: "text", text: "Hello", done: true },
      {
        kind: "tool",
        toolCallId: "t1",
        toolName: "read_files",
        input: { paths: ["a"] },
        permission: undefined,
        progress: "half",
        result: [{ type: "json", value: {} }],
        startedAt: 40,
        endedAt: 60,
      },
      { kind: "end", status: "completed", durationMs: 60, usd: 0.03 },
    ]);
  });

  it("times a call from the answer to its permission on, and not at all while it waits", () => {
    const asked: Happening = {
      type: "tool_call",
      toolCallId: "ask-t1",
      toolName: "ask_user",
      input: {},
      permission: { toolCallId: "t1", action: "execute", title: "Run this?" },
    };
    const waiting = foldAll(at([start, call("t1"), asked]));
    const answered = foldAll(at([start, call("t1"), asked, result("ask-t1")]));
    const ended = foldAll(at([start, call("t1"), asked, result("ask-t1"), result("t1")]));
    const stopped = foldAll(at([start, call("t1"), asked, result("t1"), result("ask-t1")]));
    const timeOf = (items: readonly Item[]) => {
      const tool = items.find((item) => item.kind === "tool" && item.toolCallId === "t1");
      return tool?.kind === "tool" ? toolTime(tool, 3_600_000) : undefined;
    };
    expect([waiting, answered, ended, stopped].map(timeOf)).toEqual([0, 3_600_000 - 30, 10, 0]);
  });

  it("keeps what an agent does below it, however deep", () => {
    const items = foldAll(
      at([
        start,
        { type: "subagent_start", ...agent("a1") },
        { type: "subagent_start", ...agent("a2", "a1") },
        call("t1", "a2"),
        { type: "text", text: "inner", agentId: "a1" },
        result("t1"),
        { type: "subagent_finish", ...agent("a2", "a1") },
        { type: "subagent_finish", ...agent("a1") },
      ]),
    );
    const [, outer] = items;
    expect(outer).toMatchObject({ kind: "agent", agentId: "a1", endedAt: 70 });
    expect(outer?.kind === "agent" ? outer.children : []).toMatchObject([
      { kind: "agent", agentId: "a2", endedAt: 60, children: [{ kind: "tool", toolCallId: "t1", endedAt: 50 }] },
      { kind: "text", text: "inner", done: true },
    ]);
  });

  it("closes everything that is open when the run ends", () => {
    const items = foldAll(at([start, call("t1"), { type: "subagent_start", ...agent("a1") }, finish]));
    expect(items).toMatchObject([
      { kind: "run" },
      { kind: "tool", endedAt: 30 },
      { kind: "agent", endedAt: 30 },
      { kind: "end" },
    ]);
  });

  it("leaves withdrawn words where they are and says that they do not count", () => {
    const said = at([start, { type: "text", text: "wrong" }, call("t1")]);
    const withdrawn: Entry = {
      type: "error",
      code: "withdrawn",
      message: "The step is tried again",
      fatal: false,
      characters: 5,
      toolCallIds: ["t1"],
      at: 99,
    };
    expect(fold(foldAll(said), withdrawn)).toMatchObject([
      { kind: "run" },
      { kind: "text", text: "wrong", withdrawn: true },
      { kind: "tool", withdrawn: true },
      { kind: "remark", tone: "warning" },
    ]);
  });

  it("lets no escape sequence of a model or a tool through", () => {
    const items = foldAll(at([{ type: "text", text: "a\u001b[2Jb\u001b]0;title\u0007c" }]));
    expect(items).toEqual([{ kind: "text", text: "abc", done: false }]);
  });

  it("never changes what it is given", () => {
    const before = Object.freeze(foldAll(at([start, { type: "text", text: "a" }])));
    for (const item of before) Object.freeze(item);
    expect(fold(before, { type: "text", text: "b", at: 5 }).at(-1)).toMatchObject({ text: "ab" });
    expect(before.at(-1)).toMatchObject({ text: "a" });
  });
});

it("a remark of the command itself does not cut a sentence in two", () => {
  const items = foldAll([
    { type: "text", text: "One sent", at: 1 },
    { type: "remark", tone: "warning", text: "The agent is working.", at: 2 },
    { type: "text", text: "ence.", at: 3 },
    { type: "tool_call", toolCallId: "t", toolName: "glob", input: {}, at: 4 },
  ]);
  expect(items).toMatchObject([
    { kind: "text", text: "One sentence.", done: true },
    { kind: "remark", text: "The agent is working." },
    { kind: "tool" },
  ]);
});
