import { expect, test } from "vitest";
import type { UniversalEvent } from "../universal-event.ts";
import { WorkTimes, workMs } from "./work-times.ts";

const begin = Date.parse("2026-11-18T07:00:00.000Z");

/** [ms after the beginning, type, data] */
function timesOf(...events: [number, string, object][]): WorkTimes {
  const times = new WorkTimes();
  for (const [ms, type, data] of events) {
    times.push({ type, data, time: new Date(begin + ms).toISOString() } as unknown as UniversalEvent);
  }
  return times;
}
const item = (itemId: string, parentId?: string) => ({ item: { itemId, parentId } });

test("a call's time is its work, not that of the person who was asked", () => {
  const times = timesOf(
    [0, "item.started", item("a")],
    [100, "permission.requested", { permissionId: "p", itemId: "a" }],
    [8_500, "permission.resolved", { permissionId: "p" }],
    [8_700, "item.completed", item("a")],
  );
  expect(workMs(times.of("a"))).toBe(300);
  expect(times.of("a")).toHaveLength(2);
});

test("a call that was refused and never ran has not worked while it waited", () => {
  const times = timesOf(
    [0, "item.started", item("a")],
    [10, "permission.requested", { permissionId: "p", itemId: "a" }],
    [8_400, "permission.resolved", { permissionId: "p" }],
    [8_400, "item.completed", item("a")],
  );
  expect(workMs(times.of("a"))).toBe(10);
});

test("what is asked inside a sub-agent stops the clock of the call around it, once for two that overlap", () => {
  const times = timesOf(
    [0, "item.started", item("outer")],
    [100, "item.started", item("one", "outer")],
    [100, "item.started", item("two", "outer")],
    [200, "permission.requested", { permissionId: "p", itemId: "one" }],
    [300, "question.requested", { questionId: "q", itemId: "two" }],
    [400, "permission.resolved", { permissionId: "p" }],
    [500, "item.completed", item("one")],
    [700, "question.resolved", { questionId: "q" }],
    [800, "item.completed", item("two")],
    [1_000, "item.completed", item("outer")],
  );
  expect(workMs(times.of("one"))).toBe(200);
  expect(workMs(times.of("two"))).toBe(300);
  expect(workMs(times.of("outer"))).toBe(500);
});

test("a request that belongs to no item stops no clock, and an answer after the end begins nothing anew", () => {
  const times = timesOf(
    [0, "item.started", item("a")],
    [10, "permission.requested", { permissionId: "alone" }],
    [20, "question.requested", { questionId: "q", itemId: "a" }],
    [50, "item.completed", item("a")],
    [90, "question.resolved", { questionId: "q" }],
  );
  expect(workMs(times.of("a"), begin + 5_000)).toBe(20);
  expect(times.of("unseen")).toEqual([]);
});
