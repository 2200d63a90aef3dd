import type { EventBody } from "@muster/schema";
import { describe, expect, test } from "vitest";
import { Conversion } from "../converter/conversion.ts";
import { converters } from "../converters.ts";
import type { AgentExited, Signal } from "../signals.ts";
import { codebuffConverter } from "./converter.ts";

type Line = { type: string; [field: string]: unknown };

interface Rule {
  /** The lines before, which are converted and not compared. */
  given?: Line[];
  lines: Line[];
  /** What each of the events must be at least. */
  events: object[];
}

const start: Line = {
  type: "start",
  sessionId: "s_01",
  agentId: "base2",
  model: "vendor/model",
  messageHistoryLength: 4,
};
const call = (toolCallId: string, toolName: string, input: object, more: object = {}): Line => ({
  type: "tool_call",
  toolCallId,
  toolName,
  input,
  agentId: "main-agent",
  ...more,
});
const result = (toolCallId: string, toolName: string, value: unknown, more: object = {}): Line => ({
  type: "tool_result",
  toolCallId,
  toolName,
  output: [{ type: "json", value }],
  ...more,
});
const child = {
  agentId: "kid",
  agentType: "thinker",
  displayName: "Thinker",
  onlyChild: true,
  parentAgentId: "main-agent",
};
const spawn = call("t1", "spawn_agents", { agents: [{ agent_type: "thinker" }] });
const read = call("t1", "read_files", { paths: ["a.ts"] });
const finish: Line = { type: "finish", sessionId: "s_01", agentId: "base2", totalCost: 2, totalCostUsd: 0.0175 };

const started = (item: object) => ({ type: "item.started", data: { item } });
const completed = (item: object) => ({ type: "item.completed", data: { item } });
const delta = (data: object) => ({ type: "item.delta", data });
const message = (text: string, more: object = {}) =>
  completed({ kind: "message", role: "assistant", status: "completed", content: [{ type: "text", text }], ...more });
const turnEnded = (more: object = {}) => ({ type: "turn.ended", data: { status: "completed", ...more } });
const sessionEnded = (more: object = {}) => ({ type: "session.ended", data: { reason: "completed", ...more } });

/** The ten rules of the conversion in their order, each with what it says of state; then what follows from other tools. */
const rules: Record<string, Record<string, Rule>> = {
  "1 start → session.started with metadata": {
    "agent, model, history length and native session": {
      lines: [start],
      events: [
        {
          type: "session.started",
          data: {
            agent: "codebuff",
            model: "vendor/model",
            nativeSessionId: "s_01",
            resumed: false,
            metadata: { agentId: "base2", model: "vendor/model", messageHistoryLength: 4, sessionId: "s_01" },
          },
        },
        { type: "turn.started", data: { origin: "agent" } },
      ],
    },
    "the original names neither agent nor model": {
      lines: [{ type: "start", messageHistoryLength: 0 }],
      events: [{ type: "session.started", data: { metadata: { messageHistoryLength: 0 } } }, { type: "turn.started" }],
    },
    "the next process of the same lines goes on": {
      given: [start, finish],
      lines: [start],
      events: [{ type: "turn.started" }],
    },
    "a kept-open process starts with ready, and every run has a turn": {
      given: [
        {
          type: "ready",
          sessionId: "s_01",
          version: "0.1.0",
          model: "m",
          agentId: "base2",
          mode: "DEFAULT",
          messageHistoryLength: 0,
        },
      ],
      lines: [{ ...start, model: "m" }, finish, { ...start, model: "m" }],
      events: [{ type: "turn.started" }, turnEnded(), { type: "turn.started" }],
    },
  },
  "2 text → item.delta while streaming, item.completed when final": {
    "the first delta starts the item": {
      given: [start],
      lines: [
        { type: "text", text: "Let " },
        { type: "text", text: "me" },
      ],
      events: [
        started({ kind: "message", role: "assistant", status: "in_progress", content: [] }),
        delta({ part: "text", index: 0, delta: "Let " }),
        delta({ part: "text", delta: "me" }),
      ],
    },
    "the next line of that agent that is no text completes it": {
      given: [start, { type: "text", text: "Let me", agentId: "main-agent" }],
      lines: [read],
      events: [message("Let me"), started({ kind: "tool_call" })],
    },
    "a line of another agent does not": {
      given: [start, spawn, { type: "subagent_start", ...child }, { type: "text", text: "kid", agentId: "kid" }],
      lines: [
        { type: "text", text: "root" },
        { type: "text", text: "s", agentId: "kid" },
      ],
      events: [started({ kind: "message" }), delta({ delta: "root" }), delta({ delta: "s" })],
    },
    "finish completes it": {
      given: [start, { type: "text", text: "Done." }],
      lines: [finish],
      events: [message("Done."), turnEnded(), sessionEnded()],
    },
  },
  "3 reasoning_delta → item.delta with reasoning visibility": {
    "an item of its own, by run": {
      given: [start, { type: "text", text: "hm" }],
      lines: [
        { type: "reasoning_delta", text: "think", runId: "r1", ancestorRunIds: [] },
        { type: "reasoning_delta", text: "!", runId: "r1", ancestorRunIds: [] },
        { type: "text", text: "so" },
      ],
      events: [
        message("hm"),
        started({ kind: "reasoning" }),
        delta({ part: "reasoning", delta: "think" }),
        delta({ part: "reasoning", delta: "!" }),
        completed({ kind: "reasoning", content: [{ type: "reasoning", text: "think!", visibility: "public" }] }),
        started({ kind: "message" }),
        delta({ part: "text", delta: "so" }),
      ],
    },
    "a run of a sub-agent lies under it": {
      given: [start, spawn, { type: "subagent_start", ...child, runId: "r2" }],
      lines: [{ type: "reasoning_delta", text: "deep", runId: "r2", ancestorRunIds: ["r1"] }],
      events: [started({ kind: "reasoning", parentId: "item_2" }), delta({ part: "reasoning" })],
    },
  },
  "4 tool_call → item.started + item.completed, kind tool_call": {
    "started at the call, with its input": {
      given: [start],
      lines: [read],
      events: [
        started({
          nativeItemId: "t1",
          kind: "tool_call",
          status: "in_progress",
          content: [
            {
              type: "tool_call",
              callId: "t1",
              name: "read_files",
              toolKind: "read",
              input: { paths: ["a.ts"] },
              title: "a.ts",
            },
          ],
        }),
      ],
    },
    "completed when its result is known": {
      given: [start, read],
      lines: [result("t1", "read_files", [{ path: "a.ts", content: "x" }])],
      events: [
        completed({ itemId: "item_1", kind: "tool_call", status: "completed" }),
        started({ kind: "tool_result" }),
        completed({ kind: "tool_result" }),
      ],
    },
    "cancelled when the run ends without a result": {
      given: [start, read],
      lines: [{ ...finish, status: "cancelled" }],
      events: [
        completed({ kind: "tool_call", status: "cancelled" }),
        { type: "turn.ended", data: { status: "interrupted" } },
        sessionEnded({ reason: "error" }),
      ],
    },
  },
  "5 tool_result → item.started + item.completed, kind tool_result": {
    "joined to its call": {
      given: [start, call("t1", "run_terminal_command", { command: "ls" })],
      lines: [result("t1", "run_terminal_command", { command: "ls", stdout: "out\n", stderr: "", exitCode: 3 })],
      events: [
        completed({ kind: "tool_call" }),
        started({ kind: "tool_result", status: "in_progress" }),
        completed({
          kind: "tool_result",
          role: "tool",
          status: "failed",
          content: [{ type: "tool_result", callId: "t1", output: "out\n", isError: true, exitCode: 3 }],
        }),
      ],
    },
    "errorMessage is a failure": {
      given: [start, read],
      lines: [result("t1", "read_files", { errorMessage: "no such file" })],
      events: [
        completed({ kind: "tool_call", status: "failed" }),
        started({ kind: "tool_result" }),
        completed({ status: "failed", content: [{ type: "tool_result", output: "no such file", isError: true }] }),
      ],
    },
    "an edit tells its file and difference": {
      given: [start, call("t1", "str_replace", { path: "a.ts", replacements: [] })],
      lines: [
        result("t1", "str_replace", { file: "a.ts", message: "Updated file", unifiedDiff: "@@ -1 +1 @@\n-a\n+b\n" }),
      ],
      events: [
        completed({ kind: "tool_call" }),
        started({ kind: "tool_result" }),
        completed({
          content: [
            { type: "tool_result", output: "Updated file" },
            { type: "file", path: "a.ts", action: "patch", diff: "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n" },
          ],
        }),
      ],
    },
    "a result without a call is told all the same, and flagged": {
      given: [start],
      lines: [result("t9", "glob", { files: [] })],
      events: [
        started({ kind: "tool_result" }),
        completed({
          content: [
            { type: "tool_result", callId: "t9" },
            { type: "status", label: "orphan" },
          ],
        }),
      ],
    },
  },
  "6 tool_progress → item.delta of that tool": {
    "output of the open call": {
      given: [start, call("t1", "run_terminal_command", { command: "make" })],
      lines: [{ type: "tool_progress", toolCallId: "t1", toolName: "run_terminal_command", output: "50%\n" }],
      events: [delta({ itemId: "item_1", index: 0, part: "output", delta: "50%\n" })],
    },
    "of no open call it is kept as it came": {
      given: [start],
      lines: [{ type: "tool_progress", toolCallId: "t9", toolName: "glob", output: "?" }],
      events: [{ type: "agent.unparsed", data: { error: "Progress of a call that is not open" } }],
    },
  },
  "7 subagent_start → item.started, kind status": {
    "under the call that spawned it, and its own items under it": {
      given: [start, spawn],
      lines: [
        { type: "subagent_start", ...child, model: "m2", prompt: "do sub", params: { depth: 1 }, toolCallId: "t1" },
        { type: "text", text: "hi", agentId: "kid" },
        call("t2", "glob", { pattern: "*" }, { agentId: "kid", parentAgentId: "main-agent" }),
      ],
      events: [
        started({
          nativeItemId: "kid",
          parentId: "item_1",
          kind: "status",
          status: "in_progress",
          content: [
            { type: "status", label: "Thinker", detail: "do sub" },
            { type: "json", json: { agentType: "thinker", model: "m2", params: { depth: 1 } } },
          ],
        }),
        started({ kind: "message", parentId: "item_2" }),
        delta({ delta: "hi" }),
        message("hi", { parentId: "item_2" }),
        started({ kind: "tool_call", parentId: "item_2" }),
      ],
    },
    "an agent called by its own name": {
      given: [start, call("t1", "thinker", {})],
      lines: [{ type: "subagent_start", ...child }],
      events: [started({ kind: "status", parentId: "item_1" })],
    },
    "a sub-agent of a sub-agent": {
      given: [start, spawn, { type: "subagent_start", ...child }],
      lines: [{ type: "subagent_start", ...child, agentId: "grandkid", parentAgentId: "kid" }],
      events: [started({ nativeItemId: "grandkid", parentId: "item_2" })],
    },
  },
  "8 subagent_finish → item.completed, kind status": {
    "the same item": {
      given: [start, spawn, { type: "subagent_start", ...child }, { type: "text", text: "hi", agentId: "kid" }],
      lines: [{ type: "subagent_finish", ...child }],
      events: [message("hi"), completed({ itemId: "item_2", kind: "status", status: "completed" })],
    },
    "cancelled with a run that was": {
      given: [start, spawn, { type: "subagent_start", ...child }],
      lines: [{ ...finish, status: "cancelled" }],
      events: [
        completed({ kind: "tool_call", status: "cancelled" }),
        completed({ kind: "status", status: "cancelled" }),
        { type: "turn.ended" },
        { type: "session.ended" },
      ],
    },
  },
  "9 error → error": {
    "one that passes": {
      given: [start],
      lines: [{ type: "error", message: "Tool `x` is not available", code: "unknown_tool", fatal: false }, finish],
      events: [
        { type: "error", data: { code: "agent_error", message: "Tool `x` is not available", retryable: false } },
        turnEnded(),
        sessionEnded(),
      ],
    },
    "one that ends the run is its cause": {
      given: [start],
      lines: [
        { type: "error", message: "Payment required", code: "out_of_credits", statusCode: 402, fatal: true },
        { ...finish, status: "failed" },
      ],
      events: [
        { type: "error", data: { code: "out_of_credits", details: { statusCode: 402, fatal: true } } },
        { type: "turn.ended", data: { status: "failed", cause: "out_of_credits", message: "Payment required" } },
        sessionEnded({ reason: "error" }),
      ],
    },
    "withdrawn: what was said is cancelled and replaced, with the text before it": {
      given: [start, { type: "text", text: "keep." }, { type: "text", text: "gone" }],
      lines: [
        {
          type: "error",
          code: "withdrawn",
          message: "cut",
          fatal: false,
          agentId: "main-agent",
          characters: 4,
          toolCallIds: [],
        },
        { type: "text", text: "anew" },
      ],
      events: [
        completed({ itemId: "item_1", status: "cancelled", supersededBy: "item_2", content: [{ text: "keep.gone" }] }),
        started({ itemId: "item_2", kind: "message" }),
        delta({ itemId: "item_2", delta: "keep." }),
        delta({ itemId: "item_2", delta: "anew" }),
      ],
    },
    "withdrawn: what is not said again has an empty item in its place when the run ends": {
      given: [
        start,
        { type: "text", text: "gone" },
        { type: "error", code: "withdrawn", message: "cut", fatal: false, agentId: "main-agent", characters: 4 },
      ],
      lines: [{ ...finish, status: "failed" }],
      events: [
        started({ itemId: "item_2", kind: "message" }),
        completed({ itemId: "item_2", status: "cancelled" }),
        { type: "turn.ended", data: { status: "failed" } },
      ],
    },
    "withdrawn: its calls are cancelled when their result says so": {
      given: [start, { type: "text", text: "gone" }, read],
      lines: [
        { type: "error", code: "withdrawn", message: "cut", fatal: false, characters: 4, toolCallIds: ["t1"] },
        result("t1", "read_files", { errorMessage: "Withdrawn: the step is tried again" }),
      ],
      events: [completed({ kind: "tool_call", status: "cancelled" }), started({}), completed({ kind: "tool_result" })],
    },
  },
  "10 finish → session.ended with cost metadata": {
    "cost and usage of the run": {
      given: [start],
      lines: [{ ...finish, status: "completed", usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 } }],
      events: [
        turnEnded({ costUsd: 0.0175, usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 } }),
        sessionEnded({ metadata: { runs: 1, totalCost: 2, totalCostUsd: 0.0175 } }),
      ],
    },
    "a credit is a cent where dollars are not told": {
      given: [start],
      lines: [{ type: "finish", agentId: "my-agent", totalCost: 8 }],
      events: [turnEnded({ costUsd: 0.08 }), sessionEnded({ metadata: { totalCost: 8, totalCostUsd: 0.08 } })],
    },
    "unknown costs are not told": {
      given: [start],
      lines: [{ type: "finish", totalCost: 0, costUnknown: true }],
      events: [turnEnded(), sessionEnded({ metadata: { runs: 1, totalCost: 0, costUnknown: true } })],
    },
    "the limit of steps is a cause": {
      given: [start],
      lines: [{ ...finish, status: "max_steps" }],
      events: [{ type: "turn.ended", data: { status: "failed", cause: "max_steps" } }, { type: "session.ended" }],
    },
  },
  "beside the ten": {
    "download is a status": {
      lines: [{ type: "download", version: "1.2.3", status: "complete" }],
      events: [started({ kind: "status" }), completed({ content: [{ label: "download complete", detail: "1.2.3" }] })],
    },
    "ask_user is also a question, and its result the answer": {
      given: [start],
      lines: [
        call("q1", "ask_user", {
          questions: [
            { question: "Color?", header: "Color", options: [{ label: "Red" }, { label: "Blue" }], multiSelect: true },
          ],
        }),
        result("q1", "ask_user", { answers: [{ questionIndex: 0, selectedOptions: ["Red"], otherText: "dark" }] }),
      ],
      events: [
        started({ kind: "tool_call" }),
        {
          type: "question.requested",
          data: {
            questionId: "q1",
            kind: "question",
            itemId: "item_1",
            questions: [
              {
                question: "Color?",
                header: "Color",
                multiSelect: true,
                options: [{ label: "Red" }, { label: "Blue" }],
              },
            ],
          },
        },
        { type: "question.resolved", data: { questionId: "q1", status: "answered", answers: [["Red", "dark"]] } },
        completed({ kind: "tool_call" }),
        started({ kind: "tool_result" }),
        completed({ kind: "tool_result" }),
      ],
    },
    "skipped is rejected": {
      given: [start, call("q1", "ask_user", { questions: [{ question: "Color?", options: [{ label: "Red" }] }] })],
      lines: [result("q1", "ask_user", { skipped: true })],
      events: [
        { type: "question.resolved", data: { questionId: "q1", status: "rejected" } },
        completed({ kind: "tool_call" }),
        started({}),
        completed({}),
      ],
    },
    "ask_user with a permission belongs to the call that needs it, and is no item": {
      given: [start, call("t1", "run_terminal_command", { command: "rm x" })],
      lines: [
        call(
          "ask-t1",
          "ask_user",
          { questions: [] },
          {
            permission: {
              toolCallId: "t1",
              action: "execute",
              title: "Run rm x",
              command: "rm x",
              reason: "it deletes",
            },
          },
        ),
        result("ask-t1", "ask_user", { decision: "deny" }),
        result("t1", "run_terminal_command", { errorMessage: "Denied" }),
      ],
      events: [
        {
          type: "permission.requested",
          data: {
            permissionId: "ask-t1",
            itemId: "item_1",
            action: "execute",
            title: "Run rm x",
            detail: { command: "rm x", reason: "it deletes" },
            alwaysScope: [{ action: "execute", pattern: "rm x" }],
          },
        },
        { type: "permission.resolved", data: { permissionId: "ask-t1", decision: "reject", by: "agent" } },
        completed({ kind: "tool_call", status: "cancelled" }),
        started({}),
        completed({ kind: "tool_result", status: "cancelled" }),
      ],
    },
    "a plan waits for approval": {
      given: [start],
      lines: [call("p1", "ask_user", { questions: [] }, { plan: { text: "1. do" } })],
      events: [
        started({ kind: "tool_call" }),
        started({ kind: "plan" }),
        completed({ kind: "plan", content: [{ type: "plan", text: "1. do" }] }),
        {
          type: "question.requested",
          data: {
            kind: "plan_approval",
            itemId: "item_1",
            questions: [{ body: "1. do", options: [{ id: "approve" }, { id: "approve_edits" }, { id: "reject" }] }],
          },
        },
      ],
    },
    "write_todos is also plan.updated": {
      given: [start],
      lines: [
        call("t1", "write_todos", {
          todos: [
            { task: "a", completed: true },
            { task: "b", completed: false },
          ],
        }),
      ],
      events: [
        started({ kind: "tool_call" }),
        {
          type: "plan.updated",
          data: {
            entries: [
              { content: "a", status: "completed" },
              { content: "b", status: "pending" },
            ],
          },
        },
      ],
    },
    "subgoals are too, all of them each time": {
      given: [start, call("t1", "add_subgoal", { id: "1", objective: "a", status: "IN_PROGRESS" })],
      lines: [
        call("t2", "add_subgoal", { id: "2", objective: "b", status: "NOT_STARTED" }),
        call("t3", "update_subgoal", { id: "1", status: "COMPLETE" }),
      ],
      events: [
        started({}),
        {
          type: "plan.updated",
          data: {
            entries: [
              { content: "a", status: "in_progress" },
              { content: "b", status: "pending" },
            ],
          },
        },
        started({}),
        {
          type: "plan.updated",
          data: {
            entries: [
              { content: "a", status: "completed" },
              { content: "b", status: "pending" },
            ],
          },
        },
      ],
    },
    "an unknown type is kept": {
      lines: [{ type: "riddle", x: 1 }],
      events: [{ type: "agent.unparsed", data: { raw: { type: "riddle", x: 1 }, error: 'Unknown line: "riddle"' } }],
    },
  },
};

describe.each(Object.entries(rules))("%s", (_, cases) => {
  test.each(Object.entries(cases))("%s", (_title, { given = [], lines, events }) => {
    const reader = converters.codebuff?.events.reader();
    const read = (line: Line): EventBody[] => reader?.line(JSON.stringify(line)) ?? [];
    for (const line of given) read(line);
    const told = lines.flatMap(read);
    // A session ends with its lines.
    const isOver = events.some((event) => "type" in event && event.type === "session.ended");
    expect(isOver ? [...told, ...(reader?.end() ?? [])] : told).toMatchObject(events);
  });
});

test("a cost that is not known is not told", () => {
  const conversion = new Conversion(codebuffConverter);
  const [finished] = conversion.line(JSON.stringify({ type: "finish", totalCost: 3, costUnknown: true }), []);
  expect(finished).toEqual({ type: "turn.finished", data: { status: "completed" } });
});

const causes = {
  out_of_credits: "out_of_credits",
  account_suspended: "account_suspended",
  free_mode_unavailable: "free_mode_unavailable",
  rate_limit_exceeded: "rate_limited",
  bad_credentials: "auth_failed",
  context_overflow: "context_overflow",
  timeout: "turn_timeout",
};
test.each(Object.entries(causes))("the code %s is the cause %s", (code, cause) => {
  const conversion = new Conversion(codebuffConverter);
  const say = (line: Line) => conversion.line(JSON.stringify(line), []);
  say(start);
  expect(say({ type: "error", message: "no", code, fatal: true })).toMatchObject([{ data: { code: cause } }]);
  expect(say({ ...finish, status: "failed" })).toMatchObject([{ data: { status: "failed", cause, message: "no" } }]);
});

describe("lines that end without a finish", () => {
  const stderr = { head: "", tail: "", truncated: false, totalLines: 0 };
  const exit = (exitCode: number | null, expected = false): AgentExited => ({
    exitCode,
    signal: null,
    stderr,
    expected,
  });
  const ended = (how: AgentExited): readonly Signal[] => {
    const conversion = new Conversion(codebuffConverter);
    for (const line of [start, { type: "text", text: "half" }, read]) conversion.line(JSON.stringify(line), []);
    return conversion.exit(how);
  };

  test("close what is open, with an error that says nobody said it", () => {
    expect(ended(exit(1))).toMatchObject([
      { type: "item.completed", data: { item: { kind: "tool_call", status: "cancelled" } } },
      { type: "error", data: { code: "agent_exited", details: { synthetic: true, exitCode: 1 } } },
      { type: "agent.exited" },
    ]);
  });

  test.each([
    [3, "auth_failed"],
    [4, "out_of_credits"],
    [124, "turn_timeout"],
  ])("exit code %i is the cause %s", (code, cause) => {
    expect(ended(exit(code)).slice(1)).toMatchObject([
      { type: "error", data: { code: cause } },
      { type: "turn.finished", data: { status: "failed", cause } },
      { type: "agent.exited" },
    ]);
  });

  test("are no failure where we asked for the end", () => {
    expect(ended(exit(0, true)).map(({ type }) => type)).toEqual(["item.completed", "agent.exited"]);
  });

  test("end the session of a log with an error", () => {
    const reader = converters.codebuff?.events.reader();
    for (const line of [start, { type: "text", text: "half" }]) reader?.line(JSON.stringify(line));
    expect(reader?.end()).toMatchObject([
      { type: "error", data: { code: "agent_exited", details: { synthetic: true } } },
      { type: "item.completed", data: { item: { status: "cancelled", content: [{ text: "half" }] } } },
      { type: "turn.ended", data: { status: "failed", cause: "agent_exited" } },
      { type: "session.ended", data: { reason: "error", metadata: { synthetic: true } } },
    ]);
  });
});
