import { displayWidth } from "@muster/core";
import { eventTypes, type UniversalEvent } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { answerText } from "./answer-text.ts";
import { eventLine } from "./event-line.ts";
import { printable } from "./printable.ts";
import { table } from "./table.ts";
import { outline } from "./value-outline.ts";

const event = (type: string, data: unknown) =>
  ({ sequence: 7, time: "2026-11-15T19:35:00.123Z", sessionId: "s1", source: "agent", type, data }) as UniversalEvent;

describe("text for a terminal", () => {
  it("shows control characters instead of obeying them", () => {
    expect(printable("a\x1b[31mb\x07\u009bc\td\ne ü 🌍")).toBe("a\\x1b[31mb\\x07\\x9bc\td\ne ü 🌍");
    expect(answerText("metrics", "up\x1b[2J 1\n")).toBe("up\\x1b[2J 1\n");
    expect(table(["a"], [{ a: "\x1b[1m" }])).toBe("a\n\\x1b[1m\n");
    expect(outline({ a: "\x1b[1m", b: ["\x07"] })).toBe("a: \\x1b[1m\nb: \\x07\n");
  });

  it("shows what waits for a person with the command that answers it", () => {
    const permission = { permissionId: "permission_1", action: "execute", title: "Run ls", alwaysScope: [] };
    const params = { sessionId: "s1" };
    expect(answerText("sessions.listRequests", { questions: [], permissions: [permission] }, params)).toBe(
      "? Run ls\n  sandbox-daemon sessions reply-permission s1 permission_1 once   (or always, reject)\n",
    );
    expect(answerText("sessions.listRequests", { questions: [], permissions: [] }, params)).toBe(
      "nothing waits for a person\n",
    );
  });

  it("lines tables up and keeps each row on one line", () => {
    const rows = [
      { id: "mock", on: true, more: ["x", "y"] },
      { id: "a longer id", on: false, more: "two\nlines" },
    ];
    expect(table(["id", "on", "more"], rows)).toBe(
      ["id           on   more", "mock         yes  x,y", "a longer id  no   two lines", ""].join("\n"),
    );
    expect(table(["id"], [{ id: "x".repeat(100) }])).toBe(`id\n${"x".repeat(59)}…\n`);
    expect(table(["id", "name"], [])).toBe("id  name\n");
  });

  it("indents what is nested below its key", () => {
    const value = {
      a: 1,
      b: { c: "x", d: [] },
      e: [1, 2],
      f: [{ g: 1, h: 2 }, { g: 3 }],
      i: {},
      j: "two\nlines",
      k: undefined,
    };
    expect(outline(value)).toBe(
      [
        "a: 1",
        "b:",
        "  c: x",
        "  d: none",
        "e: 1, 2",
        "f:",
        "  - g: 1",
        "    h: 2",
        "  - g: 3",
        "i: none",
        "j: two",
        "  lines",
        "",
      ].join("\n"),
    );
  });

  it("tells where the next page begins", () => {
    const session = { sessionId: "s1", agent: "mock", state: "idle", healthy: true, directory: "/", lastUsedAt: "" };
    expect(answerText("sessions.list", { sessions: [session], hasMore: true })).toMatch(
      /\ns1 +mock .*\nmore: --after s1\n$/,
    );
    expect(
      answerText("sessions.getEvents", { events: [event("error", { code: "x", message: "m" })], hasMore: true }),
    ).toBe("7 19:35:00.123 s1 error x m\nmore: --offset 7\n");
  });

  it("shows a conversation as who said what", () => {
    const messages = [
      { role: "user", status: "completed", parts: [{ type: "text", text: "one\ntwo" }] },
      { role: "user", status: "queued", parts: [{ type: "text", text: "later" }] },
      {
        role: "tool",
        status: "completed",
        parts: [
          { type: "tool_result", output: "done" },
          { type: "file", action: "write", path: "a.ts" },
        ],
      },
      { role: "unparsed", raw: "{", error: "not JSON" },
    ];
    expect(answerText("sessions.getMessages", { messages })).toBe(
      "user: one\n  two\nuser (queued): later\ntool: done\n  write a.ts\nunparsed: not JSON\n",
    );
  });
});

describe("lists of a terminal", () => {
  const now = Date.parse("2026-11-18T12:00:00.000Z");
  const session = (sessionId: string, more: object) => ({
    sessionId,
    agent: "opencode",
    state: "idle",
    healthy: true,
    directory: "/home/me/some/rather/long/way/to/a/project",
    lastUsedAt: "2026-11-18T11:55:00.000Z",
    name: "Find out why the parser test fails on Windows and mend it, please",
    ...more,
  });
  const sessions = [
    session("ses_0123456789", { state: "waiting" }),
    session("mine", { lastUsedAt: "2026-11-17T10:00:00.000Z", name: undefined, directory: "/home/me" }),
    session("日本", {
      lastUsedAt: "2026-08-01T10:00:00.000Z",
      name: "日本語の名前はここで切られる必要があります",
      healthy: false,
    }),
  ];

  it.each([80, 100])(
    "sessions fit %i columns, with name, relative time and directory, and count who waits",
    (columns) => {
      const text = answerText("sessions.list", { sessions, hasMore: false }, {}, { columns, now, home: "/home/me" });
      const [head = "", ...rows] = text.trimEnd().split("\n");
      for (const line of [head, ...rows]) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(head).toMatch(/^session +agent +state +used +name +directory$/);
      expect(rows[0]).toMatch(/^ses_0123456789 +opencode +waiting +5 min ago +Find out .*… +….*project$/);
      expect(rows[1]).toMatch(/^mine +opencode +idle +yesterday +- +~$/);
      expect(rows[2]).toMatch(/^日本 +opencode +idle ! +2026-08-01 +日本語/);
      expect(rows[3]).toMatch(/^1 waits for a person: sandbox-daemon sessions list-requests/);
    },
  );

  it.each([80, 100])("agents fit %i columns", (columns) => {
    const agent = { id: "opencode", name: "OpenCode", installed: true, version: "1.18.33", source: "npm" };
    const path = "/home/me/.local/share/muster/agents/opencode/1.18.33/node_modules/opencode/bin/opencode";
    const agents = [
      { ...agent, path, credentialsAvailable: false, capabilities: {} },
      { ...agent, id: "x", installed: false },
    ];
    const text = answerText("agents.list", { agents }, {}, { columns, now, home: "/home/me" });
    for (const line of text.trimEnd().split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    expect(text).toMatch(/opencode +OpenCode +1\.18\.33 +npm +no +….*bin\/opencode\n/);
    expect(text).toMatch(/\nx +OpenCode +not installed/);
  });
});

describe("eventLine", () => {
  it("is one line whatever the event holds", () => {
    expect(eventLine(event("item.delta", { itemId: "i1", index: 0, part: "text", delta: "a\nb\x1b" }))).toBe(
      '7 19:35:00.123 s1 item.delta i1 text "a\\nb\\u001b"\n',
    );
    const item = {
      itemId: "i1",
      kind: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "text", text: "a\nb" }],
    };
    expect(eventLine(event("item.completed", { item }))).toBe(
      "7 19:35:00.123 s1 item.completed i1 message assistant completed a\\nb\n",
    );
  });

  it("shows a type that only a newer daemon knows as its data", () => {
    expect(eventTypes).not.toContain("moon.phase");
    expect(eventLine(event("moon.phase", { full: true }))).toBe('7 19:35:00.123 s1 moon.phase {"full":true}\n');
  });
});
