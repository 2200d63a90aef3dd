import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventBody, UniversalEvent } from "@muster/schema";
import { describe, expect, it } from "vitest";
import { changedFiles } from "../src/model/changed-files.ts";
import type { Entry } from "../src/model/entries.ts";
import { eventFilter, eventSummary } from "../src/model/event-filter.ts";
import { HeldEvents } from "../src/model/held-events.ts";
import { readMetrics } from "../src/model/metrics.ts";
import { modelRequests } from "../src/model/model-requests.ts";
import { hashOf, routeOf } from "../src/model/route.ts";
import { SessionFold, type TurnView, unseenRequests } from "../src/model/session-fold.ts";
import { curlOf, shownBody } from "../src/model/snippets.ts";
import { timelineOf } from "../src/model/timeline.ts";
import { usageSeries } from "../src/model/usage-series.ts";

const recordings = fileURLToPath(new URL("../../adapters/recordings", import.meta.url));

/** What a converter made of a life of the real agent, numbered as the log would. */
function recorded(agent: string, name: string): UniversalEvent[] {
  const text = readFileSync(`${recordings}/${agent}/${name}/events.json`, "utf8");
  return numbered((JSON.parse(text) as EventBody[]).filter(({ type }) => type !== undefined));
}

function numbered(bodies: EventBody[]): UniversalEvent[] {
  return bodies.map((body, index) => ({
    sequence: index + 1,
    time: new Date(1_700_000_000_000 + index * 10).toISOString(),
    sessionId: "s",
    turnId: "turn_1",
    source: "agent",
    ...body,
  }));
}

function fold(events: readonly UniversalEvent[]): SessionFold {
  const folded = new SessionFold();
  for (const event of events) folded.apply(event);
  return folded;
}

const kindsOf = (folded: SessionFold) =>
  folded.entries
    .rows()
    .map(({ entry, depth }) => `${depth} ${entry.kind === "item" ? entry.view.item.kind : entry.kind}`);

describe("the fold", () => {
  const cases = ["claude", "codex", "opencode", "amp", "codebuff", "mock"].flatMap((agent) =>
    readdirSync(`${recordings}/${agent}`, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("/events.json"))
      .map((path) => [agent, dirname(path)] as const),
  );

  it.each(cases)("shows every item of %s %s once, with what its completion says", (agent, name) => {
    const events = recorded(agent, name);
    const folded = fold(events);
    const items = folded.entries.all().flatMap((entry) => (entry.kind === "item" ? [entry.view] : []));
    const shown = items.flatMap(({ item, result }) => [item, ...(result ? [result] : [])]);
    const completed = new Map(
      events.flatMap((event) => (event.type === "item.completed" ? [[event.data.item.itemId, event.data.item]] : [])),
    );
    expect(new Set(shown.map(({ itemId }) => itemId)).size).toBe(shown.length);
    for (const [itemId, item] of completed) expect(shown.find((one) => one.itemId === itemId)).toEqual(item);
    expect(folded.entries.rows().length).toBe(folded.entries.all().length);
    for (const event of events) expect(eventSummary(event)).toEqual(expect.any(String));
  });

  it("begun in the middle it shows what is known, and the same as the whole once the rest is read", () => {
    const events = recorded("mock", "demo");
    for (let from = 0; from < events.length; from += 7) {
      const part = fold(events.slice(from));
      const last = part.entries.all().at(-1);
      expect(last?.key).toBe(fold(events).entries.all().at(-1)?.key);
    }
  });

  it("puts the texts of deltas together before the item is complete", () => {
    const events = recorded("mock", "echo");
    const end = events.findIndex(({ type }) => type === "item.completed");
    const completed = events[end];
    const open = fold(events.slice(0, end))
      .entries.all()
      .find(({ kind }) => kind === "item");
    if (completed?.type !== "item.completed" || open?.kind !== "item") throw new Error("no item in the recording");
    expect(open.view.item.content).toEqual(completed.data.item.content);
  });

  it("keeps requests until they are resolved, and nests what a sub-agent did", () => {
    const asked = fold(
      numbered([
        {
          type: "permission.requested",
          data: { permissionId: "p", action: "execute", title: "Run ls", alwaysScope: [] },
        },
      ]),
    );
    expect(asked.pending().map(({ id }) => id)).toEqual(["p"]);
    asked.apply({
      ...numbered([{ type: "permission.resolved", data: { permissionId: "p", decision: "allow", by: "user" } }])[0],
      sequence: 2,
    } as UniversalEvent);
    expect(asked.pending()).toEqual([]);
    expect(kindsOf(fold(recorded("mock", "demo")))).toContain("1 message");
  });

  it("knows queued messages, and tells what became of those that were never given", () => {
    const bodies: EventBody[] = [
      { type: "message.updated", data: { messageId: "m1", status: "queued", message: "one" } },
      { type: "message.updated", data: { messageId: "m2", status: "queued", message: "two" } },
      { type: "message.updated", data: { messageId: "m1", status: "given" } },
      { type: "message.updated", data: { messageId: "m2", status: "cancelled" } },
    ];
    expect([...fold(numbered(bodies.slice(0, 2))).queued.keys()]).toEqual(["m1", "m2"]);
    const after = fold(numbered(bodies));
    expect([...after.queued.keys()]).toEqual([]);
    expect(kindsOf(after)).toEqual(["0 fate"]);
  });
});

describe("pictures", () => {
  it("a turn to scale: the model has what tools and people leave", () => {
    const at = (ms: number) => new Date(ms).toISOString();
    const turn = { turnId: "t", startedAt: 0, endedAt: 100, sequence: 1 };
    const tool = (itemId: string, startedAt: number, endedAt: number): Entry => ({
      kind: "item",
      key: itemId,
      sequence: 2,
      turnId: "t",
      view: {
        item: {
          itemId,
          kind: "tool_call",
          status: "completed",
          content: [
            { type: "tool_call", callId: itemId, name: "shell", toolKind: "execute", input: {}, title: itemId },
          ],
        },
        startedAt,
        endedAt,
        input: "",
        output: "",
      },
    });
    const [asked] = numbered([
      { type: "permission.requested", data: { permissionId: "p", action: "edit", title: "Edit", alwaysScope: [] } },
    ]);
    const request = { kind: "request", key: "r", id: "p", sequence: 3, turnId: "t", event: { ...asked, time: at(60) } };
    const { lanes } = timelineOf(turn, [tool("a", 10, 40), tool("b", 20, 30), request as Entry], 100);
    const drawn = lanes.map((lane) => lane.map(({ kind, from, to }) => `${kind} ${from}–${to}`));
    expect(drawn).toEqual([["model 0–10", "model 40–60"], ["person 60–100"], ["tool 10–40"], ["tool 20–30"]]);
  });

  it("shows a tool as long as it worked, without the time in which a person was asked for it", () => {
    const call = { type: "tool_call", callId: "c", name: "Bash", toolKind: "execute", input: {} } as const;
    const item = { itemId: "i", kind: "tool_call", role: "assistant", content: [call] } as const;
    const asked = { permissionId: "p", itemId: "i", action: "execute", title: "Run", alwaysScope: [] } as const;
    const bodies: [number, EventBody][] = [
      [0, { type: "turn.started", data: { turnId: "turn_1", messageIds: [], origin: "user" } }],
      [10, { type: "item.started", data: { item: { ...item, status: "in_progress", content: [call] } } }],
      [20, { type: "permission.requested", data: { ...asked, alwaysScope: [] } }],
      [8_020, { type: "permission.resolved", data: { permissionId: "p", decision: "allow", by: "user" } }],
      [8_050, { type: "item.completed", data: { item: { ...item, status: "failed", content: [call] } } }],
    ];
    const events = numbered(bodies.map(([, body]) => body)).map((event, at) => ({
      ...event,
      time: new Date(1_700_000_000_000 + (bodies[at]?.[0] ?? 0)).toISOString(),
    }));
    const { entries, openTurn } = fold(events);
    const { from, lanes } = timelineOf(openTurn as TurnView, entries.all(), 1_700_000_009_000);
    const drawn = lanes.flat().map((span) => [span.kind, span.from - from, span.to - from, span.failed]);
    expect(drawn.filter(([kind]) => kind !== "model")).toEqual([
      ["person", 20, 8_020, undefined],
      ["tool", 10, 20, true],
      ["tool", 8_020, 8_050, true],
    ]);
  });

  it("counts what each turn used and what the session has cost up to it", () => {
    const usage = { inputTokens: 10, outputTokens: 5, contextTokens: 20, contextWindow: 100 };
    const ended = (turnId: string, costUsd: number): EventBody => ({
      type: "turn.ended",
      data: { turnId, status: "completed", durationMs: 5, usage, costUsd },
    });
    const series = usageSeries(fold(numbered([ended("t1", 0.25), ended("t2", 0.5)])));
    expect(series.map(({ totalUsd, context }) => [totalUsd, context])).toEqual([
      [0.25, 0.2],
      [0.75, 0.2],
    ]);
  });

  it("lists the files a session has changed with their lines", () => {
    const files = changedFiles(fold(recorded("mock", "demo")).entries.all());
    expect(files.map(({ path, added, removed }) => [path.split("/").at(-1), added, removed])).toEqual([
      ["hello.txt", 1, 0],
    ]);
  });
});

describe("what a page holds", () => {
  const deltas = (count: number, delta: string) =>
    numbered(
      Array.from({ length: count }, () => ({
        type: "item.delta" as const,
        data: { itemId: "i", index: 0, part: "text" as const, delta },
      })),
    );

  it("has an end, by number and by size; the newest are kept", () => {
    const many = new HeldEvents(deltas(100_000, "x"));
    expect([many.isFull, many.isOver, many.surplus()]).toEqual([true, false, 0]);
    for (const event of deltas(50_000, "y")) many.push(event);
    expect([many.isOver, many.surplus()]).toEqual([true, 50_000]);
    const less = many.changed([], many.surplus());
    expect([less.all.length, less.isOver, less.all.at(-1)]).toEqual([100_000, false, many.all.at(-1)]);
    const large = new HeldEvents(deltas(160, "x".repeat(1_000_000)));
    expect(large.isOver).toBe(true);
    expect(large.changed([], large.surplus()).isOver).toBe(false);
    expect(new HeldEvents(deltas(1, "x".repeat(200_000_000))).surplus()).toBe(0);
  });

  it("a request from before it is asked like any other", () => {
    const asked = { permissionId: "perm_1", action: "execute", title: "Run ls", alwaysScope: [] } as const;
    const data = { ...asked, alwaysScope: [...asked.alwaysScope] };
    const [unseen] = unseenRequests({ questions: [], permissions: [data] });
    const seen = fold(numbered([{ type: "permission.requested", data }])).pending()[0];
    expect(unseen).toMatchObject({ kind: "request", key: seen?.key, id: "perm_1", event: { data } });
  });
});

describe("small machines", () => {
  it("addresses of the page are read as they are written", () => {
    const routes = ["#/", "#/new", "#/agents", "#/daemon", "#/session/a%2Fb/chat", "#/session/s/events?at=12"];
    for (const hash of routes) expect(hashOf(routeOf(hash))).toBe(hash);
    expect(routeOf("#/nowhere")).toEqual({ page: "sessions" });
    expect(routeOf("#/session/%E0%A4%A/chat")).toMatchObject({ page: "session", sessionId: "%E0%A4%A" });
  });

  it("events are found by family, type, text and number", () => {
    const events = recorded("mock", "demo");
    const found = (type: string, text: string) => events.filter(eventFilter({ type, text })).length;
    expect(found("", "")).toBe(events.length);
    expect(found("item", "")).toBe(found("item.started", "") + found("item.delta", "") + found("item.completed", ""));
    expect(found("", "HEADING")).toBeGreaterThan(0);
    expect(found("", "3")).toBeGreaterThan(0);
  });

  it("a request is a line for a shell whatever stands in it", () => {
    const line = curlOf("http://h", { method: "POST", path: "/sessions/s/messages", body: `{"message":"it's $HOME"}` });
    expect(line).toBe(
      `curl -H "Authorization: Bearer $TOKEN" -X POST -H 'content-type: application/json' -d '{"message":"it'\\''s $HOME"}' 'http://h/sessions/s/messages'`,
    );
  });

  it("no key and no hidden answer is in the line of a request", () => {
    const body = JSON.stringify({ agent: "claude", token: 'sk-a"b\\', answers: [["hunter2"], ["red"]] });
    expect(shownBody(body, ["hunter2"])).toBe('{"agent":"claude","token":"…","answers":[["…"],["red"]]}');
    expect(shownBody("x".repeat(5_000)).length).toBe(4_001);
  });

  it("metrics are added up over their labels", () => {
    const text = '# HELP a x\n# TYPE a counter\na{b="1"} 2\na{b="2"} 3\n# TYPE h histogram\nh_bucket{le="1"} 4\n';
    expect(readMetrics(text)).toEqual([{ name: "a", help: "x", kind: "counter", value: 5 }]);
  });
});

it("model requests are told by the last word of each, in the order they began", () => {
  const request = {
    requestId: "a",
    state: "open" as const,
    provider: "anthropic",
    protocol: "messages" as const,
    model: "m",
    requests: 1,
    inputTokens: 10,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    listUsd: 0.1,
  };
  const told = (more: object): EventBody => ({
    type: "usage.updated",
    data: { inputTokens: 0, outputTokens: 0, request: { ...request, ...more } },
  });
  const events = numbered([
    told({}),
    told({ requestId: "b" }),
    told({ state: "settled", status: 200, outputTokens: 3 }),
  ]);
  expect(modelRequests(events)).toMatchObject([
    { requestId: "a", state: "settled", outputTokens: 3, turnId: "turn_1" },
    { requestId: "b", state: "open" },
  ]);
});
