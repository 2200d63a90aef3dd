import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventData } from "@muster/schema";
import { expect, test } from "vitest";
import { type RecordedInput, replay } from "../../test/recorded-life.ts";
import type { Signal } from "../signals.ts";
import { claudeConverter } from "./convert.ts";

/**
 * Recorded from Claude Code 2.1.325 against a scripted model. What was asked of it beside our own protocol (lists,
 * settings, context) is left out. `UPDATE_EVENTS=1` writes the events anew, to be read before they are kept.
 */
const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));
const cases = readdirSync(fixtures);

function inputsOf(name: string): RecordedInput[] {
  const lines = readFileSync(join(fixtures, name, "native.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RecordedInput);
}

const eventsFile = (name: string) => join(fixtures, name, "events.json");

if (process.env.UPDATE_EVENTS === "1") {
  for (const name of cases) {
    const events = replay(claudeConverter, inputsOf(name));
    writeFileSync(eventsFile(name), `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`);
  }
}

test("all recordings are here", () => {
  expect(cases.length).toBeGreaterThanOrEqual(88);
});

test.each(cases)("%s replays to the same signals", (name) => {
  const events = JSON.parse(readFileSync(eventsFile(name), "utf8")) as Signal[];
  expect(replay(claudeConverter, inputsOf(name))).toEqual(events);
});

test.each(cases)("%s is understood to its last line", (name) => {
  const signals = replay(claudeConverter, inputsOf(name));
  expect(signals.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
  for (const { type, data } of signals) {
    const schema = Object.hasOwn(eventData, type) ? eventData[type as keyof typeof eventData] : undefined;
    if (schema !== undefined) expect(schema.safeParse(data).error).toBeUndefined();
  }
});
