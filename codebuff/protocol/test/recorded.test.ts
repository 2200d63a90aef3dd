import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { historyFaults, Message, PrintModeEvent } from "../src/index.ts";

const lines = (name: string) =>
  readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("what the original SDK 0.10.7 was recorded saying", () => {
  test("every event is accepted and keeps all its fields", () => {
    const recorded: { case: string; event: unknown }[] = lines("events.jsonl");
    expect(recorded.length).toBeGreaterThan(100);
    for (const { event } of recorded) expect(PrintModeEvent.parse(event)).toEqual(event);
  });

  test("every message of a history is accepted, and histories without errors have no faults", () => {
    const recorded: { case: string; messages: unknown[] }[] = lines("histories.jsonl");
    expect(recorded.length).toBeGreaterThan(3);
    for (const { messages } of recorded) {
      const parsed = messages.map((message) => Message.parse(message));
      expect(parsed).toEqual(messages);
      expect(historyFaults(parsed)).toEqual([]);
    }
  });
});

test("an unknown field passes and an unknown type is refused by name", () => {
  const event = { type: "finish", totalCost: 2, totalCostUsd: 0.02, somethingNew: [1] };
  expect(PrintModeEvent.parse(event)).toEqual(event);
  expect(PrintModeEvent.safeParse({ type: "telemetry" }).success).toBe(false);
});
