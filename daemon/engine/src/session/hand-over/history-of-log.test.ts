import type { Item, UniversalEvent } from "@muster/schema";
import { expect, test } from "vitest";
import { digestOf, isTooLong } from "./digest.ts";
import { historyOfLog } from "./history-of-log.ts";

let sequence = 0;
function completed(turn: number, item: Omit<Item, "itemId" | "status">): UniversalEvent {
  const itemId = `item_${++sequence}`;
  const envelope = { sequence, time: "2026-01-01T00:00:00.000Z", sessionId: "s", source: "agent" as const };
  const data = { item: { itemId, status: "completed" as const, ...item } };
  return { ...envelope, turnId: `turn_${turn}`, type: "item.completed", data };
}
const said = (turn: number, role: "user" | "assistant", text: string) =>
  completed(turn, { kind: "message", role, content: [{ type: "text", text }] });
const called = (turn: number, callId: string) =>
  completed(turn, {
    kind: "tool_call",
    role: "assistant",
    content: [{ type: "tool_call", callId, name: "a tool/with dots.", toolKind: "execute", input: { command: "ls" } }],
  });
const gave = (turn: number, callId: string, output: string) =>
  completed(turn, {
    kind: "tool_result",
    role: "tool",
    content: [{ type: "tool_result", callId, output, isError: false }],
  });

async function* each(events: UniversalEvent[]): AsyncGenerator<UniversalEvent> {
  yield* events;
}
const tell = (events: UniversalEvent[], calls: "calls" | "text" = "calls") =>
  historyOfLog(each(events), { turnIds: new Set(["turn_1", "turn_3"]), calls });

test("a history has the kept turns alone, and each call its result", async () => {
  const { entries } = await tell([
    said(1, "user", "one"),
    called(1, "call_1"),
    gave(1, "call_1", "out"),
    said(2, "user", "rewound"),
    said(3, "assistant", "three"),
  ]);
  expect(entries).toMatchObject([
    { role: "user", text: "one", turn: 1 },
    { role: "call", callId: "call_1", input: { command: "ls" }, output: "out", isError: false },
    { role: "assistant", text: "three", turn: 3 },
  ]);
});

test("ids and names of calls are such as every provider takes, and no id comes twice", async () => {
  const odd = "call with spaces and a very long name that goes on and on and on and on and on";
  const { entries } = await tell([called(1, odd), called(1, "same"), gave(1, "same", "x"), called(3, "same")]);
  const calls = entries.flatMap((entry) => (entry.role === "call" ? [entry] : []));
  expect(calls.every(({ callId, name }) => [callId, name].every((one) => /^[A-Za-z0-9_-]{1,64}$/.test(one)))).toBe(
    true,
  );
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(3);
  expect(calls.at(-1)?.output).toContain("not known");
});

test("calls are told as text on wish, and what is not carried is counted", async () => {
  const thought = completed(1, {
    kind: "reasoning",
    role: "assistant",
    content: [{ type: "reasoning", text: "hm", visibility: "public" }],
  });
  const { entries, notCarried } = await tell([called(1, "c"), gave(1, "c", "out"), thought], "text");
  expect(entries).toMatchObject([{ role: "assistant", text: expect.stringContaining("out") }]);
  expect(notCarried).toEqual(["reasoning, which only its own provider can read (1)"]);
});

test("a digest has the newest, and says how much it leaves out", async () => {
  const events = Array.from({ length: 200 }, (_, index) => said(1, "user", `${index} ${"x".repeat(5_000)}`));
  const history = await tell(events);
  expect(isTooLong(history)).toBe(true);
  const digest = digestOf(history);
  expect(digest.length).toBeLessThan(60_000);
  expect(digest).toMatch(/\(\d+ earlier messages are left out\.\)/);
  expect(digest).toContain("I said: 199 ");
});
