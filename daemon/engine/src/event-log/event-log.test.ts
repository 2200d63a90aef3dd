import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GroupSync } from "@muster/log";
import { Failure, UniversalEvent } from "@muster/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventLog, type EventLogOptions } from "./event-log.ts";
import type { EventDraft } from "./events/event-line.ts";

let directory: string;
const groupSync = new GroupSync();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "event-log-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = (options: Partial<EventLogOptions> = {}) =>
  EventLog.open({ directory, sessionId: "s1", durability: "none", groupSync, ...options });

const says = (delta: string): EventDraft => ({
  source: "agent",
  turnId: "turn_1",
  body: { type: "item.delta", data: { itemId: "item_1", index: 0, part: "text", delta } },
});
const ended: EventDraft = {
  source: "daemon",
  body: { type: "session.ended", data: { reason: "completed", terminatedBy: "client" } },
};

async function eventsOf(log: EventLog): Promise<UniversalEvent[]> {
  const events: UniversalEvent[] = [];
  for await (const event of log.events(0)) events.push(UniversalEvent.parse(event));
  return events;
}

test("drafts become events with a number, a time and their session", async () => {
  const log = await open({ now: () => Date.parse("2026-11-15T19:35:00.123Z") });
  const appended = log.append([says("hello"), ended]);
  expect(appended).toMatchObject({ first: 1, last: 2, time: "2026-11-15T19:35:00.123Z" });
  await appended.written;
  const envelope = { time: appended.time, sessionId: "s1" };
  const events = [
    { sequence: 1, ...envelope, turnId: "turn_1", source: "agent", ...says("hello").body },
    { sequence: 2, ...envelope, source: "daemon", ...ended.body },
  ];
  expect(await eventsOf(log)).toEqual(events);
  expect((await log.read(0, 10)).lines.map((line) => JSON.parse(line.toString()))).toEqual(events);
  await log.close();
});

test("a draft that cannot be written as JSON leaves no hole", async () => {
  const log = await open();
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const bad: EventDraft = {
    source: "agent",
    body: { type: "agent.unparsed", data: { raw: circular, error: "", location: "" } },
  };
  expect(() => log.append([says("a"), bad])).toThrow("circular");
  expect(log.append([says("b")])).toMatchObject({ first: 1, last: 1 });
  await log.close();
});

test.each([
  ["live", 0],
  ["from the files", 250],
])("a reader %s gets every event as its line, and no deltas where it wants none", async (_, readAt) => {
  const log = await open();
  const drafts = Array.from({ length: 250 }, (_, n) =>
    n % 10 === 0 ? ended : says(`${n} "type":"session.ended" äöü`),
  );
  if (readAt > 0) await log.append(drafts).written;
  const readers = [log.reader(0), log.reader(0, { deltas: false })];
  if (readAt === 0) log.append(drafts);
  const wanted = Array.from({ length: 250 }, (_, n) => n + 1);
  for (const [index, reader] of readers.entries()) {
    let text = "";
    while (reader.position < 250) text += (await reader.next())?.bytes;
    const sequences = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).sequence);
    expect(sequences).toEqual(wanted.filter((n) => index === 0 || n % 10 === 1));
    reader.close();
  }
  await log.close();
});

test("a page leaves deltas out where they are not wanted, and still reaches as far", async () => {
  const log = await open();
  await log.append(Array.from({ length: 25 }, (_, n) => (n % 10 === 0 ? ended : says('"type":"session.ended"'))))
    .written;
  const page = await log.read(0, 2, { deltas: false });
  expect(page.lines.map((line) => JSON.parse(line.toString()).sequence)).toEqual([1, 11]);
  expect([page.last, page.hasMore]).toEqual([20, true]);
  await log.close();
});

test("events that cannot be read any more are one event log.damaged in their place", async () => {
  const log = await open();
  for (const text of ["one", "two", "three"]) await log.append([says(text)]).written;
  await log.close();
  const path = join(directory, "events-000000000001.jsonl");
  const whole = await readFile(path, "utf8");
  await writeFile(path, whole.replace('"two"', '"owt"'));
  const damages: unknown[] = [];
  const again = await open({ reportDamage: (damage) => damages.push(damage) });
  const events = await eventsOf(again);
  // The line and its seal.
  const bytes = whole.split("\n").slice(3, 5).join("\n").length + 1;
  const data = { from: 2, to: 2, bytes, keptAs: "events-000000000001.jsonl" };
  expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, "item.delta"],
    [2, "log.damaged"],
    [3, "item.delta"],
  ]);
  expect(events[1]).toMatchObject({ sessionId: "s1", source: "daemon", type: "log.damaged", data });
  expect(damages).toEqual([data]);
  await again.close();
});

test("a cursor beyond the end is refused with the session and its last number", async () => {
  const log = await open();
  await log.append([ended]).written;
  const refusal = expect.objectContaining({ code: "cursor_ahead", fields: { sessionId: "s1", lastSequence: 1 } });
  expect(() => log.reader(2)).toThrow(refusal);
  await expect(log.read(2, 10)).rejects.toMatchObject({ code: "cursor_ahead" });
  expect(() => log.events(2)).toThrow(Failure);
  await log.close();
});
