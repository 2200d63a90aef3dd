import { displayWidth, paintFor, plain } from "@muster/core";
import type { UniversalEvent } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { ConversationText } from "./conversation-text.ts";
import { growingLines } from "./markdown/growing-text.ts";

let sequence = 0;
const event = (type: string, data: unknown, seconds = 0) =>
  ({
    sequence: ++sequence,
    time: new Date(Date.UTC(2026, 10, 15, 19, 35, 0) + seconds * 1000).toISOString(),
    sessionId: "s1",
    source: "agent",
    type,
    data,
  }) as UniversalEvent;
const item = (itemId: string, kind: string, content: unknown[], more: object = {}) => ({
  item: { itemId, kind, status: "completed", content, ...more },
});
const delta = (itemId: string, text: string, part = "text") =>
  event("item.delta", { itemId, index: 0, part, delta: text });
const shown = (events: UniversalEvent[], options: object = {}) => {
  const conversation = new ConversationText({ paint: plain, ...options });
  return events.map((each) => conversation.text(each)).join("");
};
const call = { type: "tool_call", callId: "c1", name: "Bash", toolKind: "execute", input: { command: "npm test" } };
const started = event("item.started", item("t1", "tool_call", [call], { status: "in_progress" }));
const result = (content: unknown[], status = "completed") =>
  event("item.completed", item("t2", "tool_result", content, { status }), 1.25);

describe("a conversation for eyes", () => {
  it("joins deltas, and shows what came without them whole", () => {
    const text = [{ type: "text", text: "Hello you" }];
    expect(
      shown([delta("i1", "Hello"), delta("i1", " you"), event("item.completed", item("i1", "message", text))]),
    ).toBe("Hello you\n");
    expect(shown([event("item.completed", item("i1", "message", text))])).toBe("Hello you\n");
  });

  it("keeps two messages that come at once apart", () => {
    const whole = (id: string, text: string) =>
      event("item.completed", item(id, "message", [{ type: "text", text }], { role: "assistant" }));
    expect(
      shown([delta("i1", "on"), delta("i2", "tw"), delta("i1", "e"), whole("i1", "one"), whole("i2", "two")]),
    ).toBe("one\n\ntwo\n");
  });

  it("shows a tool as one line with its result and its time", () => {
    const output = (text: string, more: object = {}) => [
      { type: "tool_result", callId: "c1", output: text, isError: false, ...more },
    ];
    expect(shown([started, result(output("a\nb\n"))])).toBe("✓ Bash npm test  (2 lines, 1.3 s)\n");
    expect(shown([started, result(output("fine"))])).toBe("✓ Bash npm test  (fine, 1.3 s)\n");
    expect(shown([started, result(output("no such file\nmore", { isError: true, exitCode: 2 }), "failed")])).toBe(
      "✗ Bash npm test  (exit 2: no such file, 1.3 s)\n",
    );
    const stopped = event("item.completed", item("t1", "tool_call", [call], { status: "cancelled" }));
    expect(shown([started, stopped, result(output("x"), "cancelled")])).toBe("– Bash npm test  (cancelled)\n");
  });

  it("tells the time a tool worked, not that of the person who was asked", () => {
    const done = [{ type: "tool_result", callId: "c1", output: "fine", isError: false }];
    const asked = { permissionId: "p", itemId: "t1", action: "execute", title: "Run", alwaysScope: [] };
    const waited = [
      event("permission.requested", asked, 0.5),
      event("permission.resolved", { permissionId: "p", decision: "allow", by: "user" }, 10.5),
      event("item.completed", item("t1", "tool_call", [call]), 11),
      event("item.completed", item("t2", "tool_result", done), 11),
    ];
    expect(shown([started, ...waited])).toBe("✓ Bash npm test  (fine, 1.0 s)\n");
  });

  it("names a running tool below everything until it is done, and not while a person is asked", () => {
    const conversation = new ConversationText({ paint: plain, columns: 80, growing: () => growingLines(79) });
    conversation.text(started);
    expect(conversation.live()).toEqual(["… Bash npm test"]);
    conversation.text(
      event("permission.requested", { permissionId: "p1", action: "execute", title: "x", alwaysScope: [] }),
    );
    expect(conversation.live()).toEqual([]);
    conversation.text(event("permission.resolved", { permissionId: "p1", decision: "allow", by: "user" }));
    expect(conversation.live()).toEqual(["… Bash npm test"]);
    conversation.text(result([{ type: "tool_result", callId: "c1", output: "", isError: false }]));
    expect(conversation.live()).toEqual([]);
  });

  it("a tool is one row of the terminal, however long its title and its result are", () => {
    const long = { ...call, input: { command: `npm test -- ${"path/".repeat(40)}` } };
    const start = event("item.started", item("t1", "tool_call", [long], { status: "in_progress" }));
    const end = result([{ type: "tool_result", callId: "c1", output: "x".repeat(200), isError: true }], "failed");
    for (const columns of [40, 80, 100]) {
      const [line = ""] = shown([start, end], { columns }).split("\n");
      expect(displayWidth(line)).toBeLessThan(columns);
      expect(line).toMatch(/^✗ Bash npm .*… {2}\(x+…, 1\.3 s\)$/);
    }
  });

  it("what is read and what is edited look different, and an edit says how much", () => {
    const of = (toolKind: string, title: string) => {
      const own = { ...call, toolKind, title };
      const file = { type: "file", path: "calc.js", action: "patch", diff: "-a\n+b\n+c\n" };
      const content = [
        { type: "tool_result", callId: "c1", output: "ok", isError: false },
        ...(toolKind === "edit" ? [file] : []),
      ];
      return shown([event("item.started", item("t1", "tool_call", [own], { status: "in_progress" })), result(content)]);
    };
    expect(of("read", "calc.js")).toBe("✓ read calc.js  (ok, 1.3 s)\n");
    expect(of("read", "Read calc.js")).toBe("✓ Read calc.js  (ok, 1.3 s)\n");
    expect(of("edit", "calc.js")).toBe("✓ edit calc.js  (+2 −1, 1.3 s)\n    -a\n    +b\n    +c\n");
  });

  it("a diff and a plan that a person was asked about are not shown again", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
    const asked = event("permission.requested", {
      permissionId: "p1",
      action: "edit",
      title: "Edit x",
      detail: { diff },
      alwaysScope: [],
    });
    const file = { type: "file", path: "x", action: "patch", diff: "@@ -1 +1 @@\n-old\n+new\n" };
    const done = result([{ type: "tool_result", callId: "c1", output: "ok", isError: false }, file]);
    expect(shown([started, asked, done])).toBe("✓ Bash npm test  (+1 −1, 1.3 s)\n");
    const question = {
      id: "q",
      question: "Go on?",
      body: "1. look\n",
      type: "string",
      options: [],
      multiSelect: false,
      allowCustom: true,
    };
    const plan = event(
      "item.completed",
      item("i1", "plan", [{ type: "plan", text: "1. look" }], { role: "assistant" }),
    );
    const ask = event("question.requested", { questionId: "q1", kind: "plan_approval", questions: [question] });
    expect(shown([ask, plan])).toBe("");
    const conversation = new ConversationText({ paint: plain });
    conversation.text(plan);
    expect(conversation.hasShown("1. look\n")).toBe(true);
  });

  it("colours a diff where colour is wanted, and nowhere else", () => {
    const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-old\n+new\n same\n";
    const content = [
      { type: "tool_result", callId: "c1", output: "ok", isError: false },
      { type: "file", path: "x.ts", action: "patch", diff },
    ];
    const indented = diff.trimEnd().replaceAll(/^/gm, "    ");
    expect(shown([started, result(content)])).toBe(`✓ Bash npm test  (+1 −1, 1.3 s)\n${indented}\n`);
    const coloured = shown([started, result(content)], { paint: paintFor({ isTTY: true }, {}) });
    expect(coloured).toContain("\x1b[31m-old\x1b[39m");
    expect(coloured).toContain("\x1b[32m+new\x1b[39m");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) expect(paintFor({ isTTY: true }, env)).toBe(plain);
    expect(paintFor({}, {})).toBe(plain);
  });

  it("shows a question with its options and the command that answers it", () => {
    const question = {
      id: "q",
      question: "Which colour?",
      type: "string",
      options: [
        { id: "r", label: "It's red", description: "like a brick" },
        { id: "b", label: "Blue" },
      ],
      multiSelect: false,
      allowCustom: true,
    };
    const asked = event("question.requested", { questionId: "question_1", kind: "question", questions: [question] });
    expect(shown([asked], { showsRequests: true })).toBe(
      [
        "? Which colour?",
        "  1. It's red – like a brick",
        "  2. Blue",
        `  sandbox-daemon sessions reply-question s1 question_1 --answers '["It'\\''s red"]'`,
        "",
      ].join("\n"),
    );
    const permission = { permissionId: "permission_1", action: "execute", title: "Run rm x", alwaysScope: [] };
    expect(shown([event("permission.requested", permission)], { showsRequests: true })).toBe(
      ["? Run rm x", "  sandbox-daemon sessions reply-permission s1 permission_1 once   (or always, reject)", ""].join(
        "\n",
      ),
    );
  });

  it("says how a turn ended, and why it did not complete", () => {
    const ended = (data: object) => shown([event("turn.ended", { turnId: "turn_1", durationMs: 61_000, ...data })]);
    expect(ended({ status: "completed", usage: { inputTokens: 1234, outputTokens: 5 }, costUsd: 0.5 })).toBe(
      "1 min 1 s · 1,234 tokens in, 5 out · $0.5000\n",
    );
    expect(ended({ status: "failed", cause: "rate_limited" })).toBe(
      "failed: The provider asked to slow down and the retries were used up (rate_limited)\n1 min 1 s\n",
    );
    expect(ended({ status: "interrupted", cause: "interrupted_by_user" })).toBe("interrupted\n1 min 1 s\n");
  });

  it("a turn that passed the gateway ends with what the wire said it cost, whatever its agent says", () => {
    const usage = { inputTokens: 7, outputTokens: 7 };
    const wire = { requests: 2, inputTokens: 4000, cachedInputTokens: 0, outputTokens: 200, reasoningTokens: 0 };
    const told = { turnId: "turn_1", durationMs: 4100, usage, costUsd: 123.5, wire: { ...wire, listUsd: 0.0155 } };
    const figures = "4.1 s · 4,000 tokens in, 200 out · $0.0155\n";
    expect(shown([event("turn.ended", { ...told, status: "completed" })])).toBe(figures);
    const spent = { status: "failed", cause: "budget_exceeded", message: "The budget of this session is used up" };
    expect(shown([event("turn.ended", { ...told, ...spent })])).toBe(
      `failed: The budget of this session is used up (budget_exceeded)\n${figures}`,
    );
  });

  it("tells a failure once, and leaves out what is told elsewhere", () => {
    const failure = { code: "provider_error", message: "nobody listens", retryable: true };
    const ended = { turnId: "turn_1", durationMs: 4100, status: "failed", cause: "provider_error" };
    expect(shown([event("error", failure), event("turn.ended", { ...ended, message: "nobody listens" })])).toBe(
      "! nobody listens\nfailed (provider_error)\n4.1 s\n",
    );
    expect(shown([event("error", failure), event("turn.ended", { ...ended, message: "it gave up" })])).toBe(
      "! nobody listens\nfailed: it gave up (provider_error)\n4.1 s\n",
    );
    const status = (label: string) =>
      event("item.completed", item("s1", "status", [{ type: "status", label, detail: "x" }]));
    expect(shown(["interrupted", "turn_diff", "warning"].map(status))).toBe("· warning: x\n");
  });

  it("obeys no control characters of an agent", () => {
    expect(shown([delta("i1", "a\x1b[2Jb"), event("error", { code: "agent_error", message: "\x07" })])).toBe(
      "a\\x1b[2Jb\n\n! \\x07\n",
    );
  });
});
