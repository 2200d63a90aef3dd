import type { EventBody, EventSource, Item, Part, UniversalEvent } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { checkInvariants } from "./check-invariants.ts";
import type { CheckOptions } from "./violation.ts";

type FilePart = Extract<Part, { type: "file" }>;
type ResultPart = Extract<Part, { type: "tool_result" }>;
type Told = EventBody & { turnId?: string; source?: EventSource; truncated?: { field: string; bytes: number } };

function stream(...bodies: Told[]): UniversalEvent[] {
  return bodies.map(({ source = "daemon", ...body }, index) => ({
    sequence: index + 1,
    time: "2026-11-15T19:35:00.123Z",
    sessionId: "s1",
    source,
    ...body,
  }));
}

const turnId = "turn_1";
const started = (resumed = false): Told => ({
  type: "session.started",
  data: { agent: "mock", permissionMode: "default", directory: "/tmp", resumed },
});
const queued = (messageId = "m1"): Told => ({ type: "message.updated", data: { messageId, status: "queued" } });
const given = (messageId = "m1", turn = turnId): Told => ({
  type: "message.updated",
  turnId: turn,
  data: { messageId, status: "given", turnId: turn },
});
const turn = (messageIds = ["m1"], id = turnId): Told => ({
  type: "turn.started",
  turnId: id,
  data: { turnId: id, messageIds, origin: "user" },
});
const turnEnd = (id = turnId): Told => ({
  type: "turn.ended",
  turnId: id,
  data: { turnId: id, status: "completed", durationMs: 1 },
});
const message = (text: string, status: Item["status"] = "completed"): Item => ({
  itemId: "item_1",
  kind: "message",
  role: "assistant",
  status,
  content: [{ type: "text", text }],
});
const call = (input: unknown, status: Item["status"] = "completed"): Item => ({
  itemId: "item_1",
  kind: "tool_call",
  status,
  content: [{ type: "tool_call", callId: "c1", name: "shell", toolKind: "execute", input, title: "ls" }],
});
const edit = (title: string | undefined, status: Item["status"] = "completed"): Item => ({
  itemId: "item_1",
  kind: "tool_call",
  status,
  content: [{ type: "tool_call", callId: "c1", name: "write", toolKind: "edit", input: {}, title }],
});
const result = (
  file: Partial<FilePart>,
  more: Partial<ResultPart> = {},
  status: Item["status"] = "completed",
): Item => ({
  itemId: "item_2",
  kind: "tool_result",
  role: "tool",
  status,
  content: [
    { type: "tool_result", callId: "c1", output: "", isError: status !== "completed", ...more },
    { type: "file", path: "a.txt", action: "patch", ...file },
  ],
});
const diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n";
/** The same with other ids. */
const again = (bodies: Told[], from = 2): Told[] =>
  JSON.parse(
    JSON.stringify(bodies).replaceAll(/item_(\d)/g, (_, number: string) => `item_${Number(number) + from}`),
  ) as Told[];
/** A call and its result. */
const used = (one: Item, other: Item): Told[] => [
  itemStart({ ...one, status: "in_progress" }),
  itemEnd(one),
  itemStart({ ...other, status: "in_progress", content: [] }),
  itemEnd(other),
];
const itemStart = (item: Item): Told => ({ type: "item.started", turnId, source: "agent", data: { item } });
const itemEnd = (item: Item): Told => ({ type: "item.completed", turnId, source: "agent", data: { item } });
const delta = (text: string, part: "text" | "input" | "output" = "text"): Told => ({
  type: "item.delta",
  turnId,
  source: "agent",
  data: { itemId: "item_1", index: 0, part, delta: text },
});
const asked = (itemId?: string): Told => ({
  type: "permission.requested",
  turnId,
  data: {
    permissionId: "permission_1",
    action: "execute",
    title: "Run ls",
    alwaysScope: [],
    itemId,
  },
});
/** A permission for an edit, asked and answered. */
const wanted = (detail: { paths: string[]; diff?: string }): Told => ({
  type: "permission.requested",
  turnId,
  data: { permissionId: "permission_1", action: "edit", title: "Edit b.txt", detail, alwaysScope: [] },
});
const resolved: Told = {
  type: "permission.resolved",
  turnId,
  data: { permissionId: "permission_1", decision: "allow", by: "user" },
};
const question: Told = {
  type: "question.requested",
  turnId,
  data: {
    questionId: "question_1",
    kind: "question",
    questions: [{ id: "q", question: "Which?", type: "string", options: [], multiSelect: false, allowCustom: true }],
  },
};
const ended: Told = { type: "session.ended", data: { reason: "terminated", terminatedBy: "client" } };
const asleep: Told = { type: "session.updated", data: { agentState: "asleep" } };

/** A turn with these events inside. */
const inTurn = (...inside: Told[]) => [started(), queued(), given(), turn(), ...inside, turnEnd()];
const saidHello = [itemStart(message("", "in_progress")), delta("hel"), delta("lo"), itemEnd(message("hello"))];

describe("a good stream has no violations", () => {
  const good: Record<string, Told[]> = {
    "nothing at all": [],
    "a message answered": inTurn(...saidHello),
    "a tool call with streamed input": inTurn(
      itemStart(call({}, "in_progress")),
      delta('{"command":', "input"),
      delta('"ls"}', "input"),
      delta("advisory", "output"),
      itemEnd(call({ command: "ls" })),
    ),
    "a call that was cut short": inTurn(
      itemStart(call({}, "in_progress")),
      delta('{"comm', "input"),
      itemEnd(call({}, "cancelled")),
    ),
    "a text that was too long to keep": inTurn(itemStart(message("", "in_progress")), delta("hello"), {
      ...itemEnd(message("hel")),
      truncated: { field: "text", bytes: 5 },
    }),
    "a request within its item": inTurn(
      itemStart(call({}, "in_progress")),
      asked("item_1"),
      resolved,
      itemEnd(call({})),
    ),
    "a background item that outlives its turn": [
      ...inTurn(itemStart({ ...call({}, "in_progress"), background: true })),
      itemEnd({ ...call({}), background: true }),
    ],
    "a message cancelled, another joined": [
      started(),
      queued("m2"),
      { type: "message.updated", data: { messageId: "m2", status: "cancelled" } },
      queued(),
      given(),
      turn(),
      queued("m3"),
      { type: "message.updated", turnId, data: { messageId: "m3", status: "joined", turnId } },
      turnEnd(),
    ],
    "an edit with its diff": inTurn(...used(edit("a.txt"), result({ diff }))),
    "files that are new, gone, moved, outside, or have odd names": inTurn(
      ...used(edit("a.txt"), result({ diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+one\n" })),
      ...again(used(edit("a.txt"), result({ diff: "--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n" }))),
      ...again(used(edit("a.txt"), result({ diff: diff.replace("a/a.txt", "a/b.txt") })), 4),
      ...again(used(edit("/etc/x"), result({ path: "/etc/x", diff: diff.replaceAll("/a.txt", "//etc/x") })), 6),
      ...again(
        used(
          edit('a"b'),
          result({ path: 'a"b', diff: diff.replace("a/a.txt", '"a/a\\"b"').replace("b/a.txt", '"b/a\\"b"') }),
        ),
        8,
      ),
    ),
    "a command that failed": inTurn(...used(call({}, "failed"), result({ path: "ls" }, { exitCode: 3 }, "failed"))),
    "a second life": [started(), ended, queued(), started(true), given(), turn(), turnEnd()],
  };
  it.each(Object.entries(good))("%s", (_, bodies) => expect(checkInvariants(stream(...bodies))).toEqual([]));
});

describe("a broken stream is told by the invariant, the event and the reason", () => {
  const failed: Told = {
    type: "turn.ended",
    turnId,
    data: { turnId, status: "failed", durationMs: 1 },
  };
  const broken: [title: string, bodies: Told[], invariant: string, sequence: number, reason: RegExp][] = [
    [
      "a whole path of a file inside",
      inTurn(...used(edit("/tmp/a.txt"), result({ path: "/tmp/a.txt" }))),
      "files",
      8,
      /inside/,
    ],
    [
      "a path that is longer than it must be",
      inTurn(...used(edit("./a.txt"), result({ path: "./a.txt" }))),
      "files",
      8,
      /shortest/,
    ],
    [
      "a diff without headers",
      inTurn(...used(edit("a.txt"), result({ diff: diff.slice(diff.indexOf("@@")) }))),
      "files",
      8,
      /headers/,
    ],
    [
      "a diff with headers of another kind",
      inTurn(...used(edit("a.txt"), result({ diff: diff.replaceAll(/[ab]\/a/g, "/tmp/a") }))),
      "files",
      8,
      /headers/,
    ],
    [
      "a diff whose lines are not counted right",
      inTurn(...used(edit("a.txt"), result({ diff: diff.replace("-1,1", "-1,2") }))),
      "files",
      8,
      /not unified/,
    ],
    [
      "a diff that is none",
      inTurn(...used(edit("a.txt"), result({ diff: "hello\n" }))),
      "files",
      8,
      /without changes|empty/,
    ],
    [
      "a diff of another file",
      inTurn(...used(edit("a.txt"), result({ diff: diff.replaceAll("a.txt", "b.txt") }))),
      "files",
      8,
      /about b.txt/,
    ],
    ["a diff of another file in a permission", inTurn(wanted({ paths: ["b.txt"], diff })), "files", 5, /about a.txt/],
    ["an edit without a title", inTurn(...used(edit(undefined), result({}))), "titles", 8, /does not name a.txt/],
    [
      "a command with words of its own",
      inTurn(itemStart(call({}, "in_progress")), itemEnd(call({ command: "rm" }))),
      "titles",
      6,
      /not its command "rm"/,
    ],
    ["a permission with words of its own", inTurn(wanted({ paths: ["c.txt"] })), "titles", 5, /not "Edit c.txt"/],
    [
      "a command that failed and completed",
      inTurn(...used(edit("a.txt"), result({}, { exitCode: 3 }))),
      "results",
      8,
      /code 3/,
    ],
    [
      "an error that completed",
      inTurn(...used(edit("a.txt"), result({}, { isError: true }))),
      "results",
      8,
      /isError true/,
    ],
    [
      "a call that ended unlike its result",
      inTurn(...used(edit("a.txt"), result({}, {}, "failed"))),
      "results",
      8,
      /is completed, its result/,
    ],
    [
      "an item replaced by one that never comes",
      inTurn(itemStart(call({}, "in_progress")), itemEnd({ ...call({}, "cancelled"), supersededBy: "item_9" })),
      "items",
      7,
      /never comes/,
    ],
    ["an item started twice", inTurn(...saidHello, ...saidHello), "items", 9, /second time/],
    ["a delta before the start", inTurn(delta("x")), "items", 5, /never started/],
    ["a delta after the completion", inTurn(...saidHello, delta("x")), "items", 9, /completed before/],
    ["a second completion", inTurn(...saidHello, itemEnd(message("hello"))), "items", 9, /completed before/],
    [
      "deltas that say something else",
      inTurn(...saidHello.slice(0, 3), itemEnd(message("help"))),
      "items",
      8,
      /"hello"/,
    ],
    [
      "deltas of a missing part",
      inTurn(...saidHello.slice(0, 3), itemEnd({ ...message(""), content: [] })),
      "items",
      8,
      /missing/,
    ],
    [
      "a completion in progress",
      inTurn(...saidHello.slice(0, 3), itemEnd(message("hello", "in_progress"))),
      "items",
      8,
      /in_progress/,
    ],
    [
      "an item that changes its kind",
      inTurn(...saidHello.slice(0, 1), itemEnd(call({}))),
      "items",
      6,
      /started as message/,
    ],
    [
      "input deltas of another value",
      inTurn(itemStart(call({}, "in_progress")), delta("{}", "input"), itemEnd(call({ a: 1 }))),
      "items",
      7,
      /input say/,
    ],
    [
      "input deltas that do not parse",
      inTurn(itemStart(call({}, "in_progress")), delta("{", "input"), itemEnd(call({}))),
      "items",
      7,
      /not JSON/,
    ],
    [
      "an item open after its turn",
      [...inTurn(...saidHello.slice(0, 1)), itemEnd(message(""))],
      "items",
      6,
      /after its turn/,
    ],
    [
      "an item open after the life",
      [...inTurn(itemStart({ ...call({}, "in_progress"), background: true })), ended],
      "items",
      7,
      /after the life/,
    ],
    [
      "an item that is never completed",
      [started(), { ...itemStart(message("", "in_progress")), turnId: undefined as never }],
      "items",
      2,
      /never completed/,
    ],
    [
      "a turn inside a turn",
      [...inTurn().slice(0, 4), queued("m2"), given("m2", "turn_2"), turn(["m2"], "turn_2"), turnEnd("turn_2")],
      "turns",
      7,
      /while turn_1 is open/,
    ],
    [
      "a turn that begins twice",
      [...inTurn(), queued("m2"), given("m2"), turn(["m2"]), turnEnd()],
      "turns",
      8,
      /second time/,
    ],
    ["a turn that ends twice", [...inTurn(), turnEnd()], "turns", 6, /no turn is open/],
    ["a turn that never ends", inTurn().slice(0, 4), "turns", 4, /never ends/],
    ["a failure without a cause", [...inTurn().slice(0, 4), failed], "turns", 5, /without a cause/],
    ["an event of a turn that never began", [started(), { ...asleep, turnId: "turn_9" }], "turns", 2, /never began/],
    ["a turn open after the life", [...inTurn().slice(0, 4), ended], "turns", 5, /after the life/],
    ["a request that is never resolved", inTurn(asked()), "requests", 6, /never resolved/],
    ["a request resolved twice", inTurn(asked(), resolved, resolved), "requests", 7, /second time/],
    ["an answer nobody asked for", inTurn(resolved), "requests", 5, /never asked/],
    ["a request asked twice", inTurn(question, question), "requests", 6, /asked a second time/],
    [
      "a request that outlives its item",
      inTurn(itemStart(call({}, "in_progress")), asked("item_1"), itemEnd(call({})), resolved),
      "requests",
      7,
      /outlives its item/,
    ],
    ["a request that outlives its life", [...inTurn(question), ended], "requests", 7, /outlives its life/],
    ["a request that outlives a process", [...inTurn(question), asleep], "requests", 7, /outlives its life/],
    ["a message queued for ever", [started(), queued()], "messages", 2, /for ever/],
    [
      "a message queued twice",
      [started(), queued(), queued(), given(), turn(), turnEnd()],
      "messages",
      3,
      /second time/,
    ],
    ["a message that nobody sent", [started(), given(), turn(), turnEnd()], "messages", 2, /never queued/],
    [
      "a message given twice",
      [...inTurn(), given("m1", "turn_2"), turn(["m1"], "turn_2"), turnEnd("turn_2")],
      "messages",
      6,
      /after it was given/,
    ],
    ["a message given to no turn", [started(), queued(), given()], "messages", 3, /never began/],
    [
      "a turn with another message",
      [started(), queued(), given(), turn(["m2"]), turnEnd()],
      "messages",
      4,
      /not given to it/,
    ],
    [
      "a message that joins a closed turn",
      [...inTurn(), queued("m2"), { type: "message.updated", data: { messageId: "m2", status: "joined", turnId } }],
      "messages",
      7,
      /joins/,
    ],
    ["a life inside a life", [started(), started(true)], "lives", 2, /another is open/],
    ["a first life that is resumed", [started(true)], "lives", 1, /first life/],
    ["a later life that is not resumed", [started(), ended, started()], "lives", 3, /does not say/],
    ["an end of no life", [started(), ended, ended], "lives", 3, /not open/],
    [
      "something after the end",
      [started(), ended, { type: "plan.updated", data: { entries: [] } }],
      "lives",
      3,
      /after the end/,
    ],
    ["the agent after its end", [started(), ended, { ...asleep, source: "agent" }], "lives", 3, /of the agent/],
    [
      "something before the first life",
      [{ type: "plan.updated", data: { entries: [] } }, started()],
      "lives",
      1,
      /before the first/,
    ],
  ];
  it.each(broken)("%s", (_, bodies, invariant, sequence, reason) => {
    const violations = checkInvariants(stream(...bodies));
    expect(violations).toContainEqual({ invariant, sequence, reason: expect.stringMatching(reason) });
  });

  it("a hole, a repeat and a foreign event", () => {
    const events = stream(started(), asleep, asleep, asleep);
    const check = (list: (UniversalEvent | undefined)[], options?: CheckOptions) =>
      checkInvariants(list as UniversalEvent[], options).map(({ invariant, reason }) => `${invariant}: ${reason}`);
    expect(check([events[0], events[2]])).toEqual(["sequences: 2 is missing before 3"]);
    expect(check([events[0], events[2]], { filtered: true })).toEqual([]);
    expect(check([events[0], events[1], events[1]])).toEqual(["sequences: 2 comes after 2"]);
    expect(check([events[2], events[3]])).toContain("sequences: 1 is missing before 3");
    expect(check([events[2], events[3]], { after: 2 })).toEqual([]);
    expect(check([events[0], { ...asleep, ...(events[1] as UniversalEvent), sessionId: "s2" }])).toEqual([
      "sequences: an event of s2 among those of s1",
    ]);
  });

  it("an event that is not of the schema", () => {
    const bad = { ...stream(started())[0], data: { agent: "mock" } } as unknown as UniversalEvent;
    expect(checkInvariants([bad])).toMatchObject([{ invariant: "schema", sequence: 1 }]);
  });
});

it("what is still open in an unfinished list is no violation", () => {
  const events = stream(...inTurn(...saidHello.slice(0, 2), question).slice(0, -1), queued("m2"));
  expect(checkInvariants(events, { finished: false })).toEqual([]);
  expect(checkInvariants(events).map(({ invariant }) => invariant)).toEqual(["items", "turns", "requests", "messages"]);
});
