import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import { expect, test } from "vitest";
import { asLog } from "../../test/as-log.ts";
import { type RecordedInput, replay } from "../../test/recorded-life.ts";
import type { Signal } from "../signals.ts";
import { opencodeConverter } from "./convert.ts";
import { eventOf, sessionOf } from "./native.ts";

/**
 * Recorded from OpenCode 1.18.33 against a scripted model: the lines of one session and of its sub-agents, and the
 * commands that led it, put where their effects begin. `UPDATE_EVENTS=1` writes the events anew, to be read before they
 * are kept.
 */
const fixtures = fileURLToPath(new URL("./fixtures/", import.meta.url));
const cases = readdirSync(fixtures);

function inputsOf(name: string): RecordedInput[] {
  const lines = readFileSync(join(fixtures, name, "native.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RecordedInput);
}

/** The converter of the session that was recorded; its first line is its own. */
function converterOf(name: string) {
  const first = inputsOf(name).find((input) => "line" in input);
  const line: unknown = JSON.parse(first !== undefined && "line" in first ? first.line : "{}");
  const nativeSessionId = sessionOf(eventOf(line)?.properties) ?? "";
  return opencodeConverter({
    nativeSessionId,
    directory: "/workspace",
    providerID: "mock",
    modelID: "m1",
    permissionMode: "default",
    contextWindow: 128_000,
    mcpServers: [],
  });
}

const eventsFile = (name: string) => join(fixtures, name, "events.json");

if (process.env.UPDATE_EVENTS === "1") {
  for (const name of cases) {
    const events = replay(converterOf(name), inputsOf(name));
    writeFileSync(eventsFile(name), `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`);
  }
}

test("all recordings are here", () => {
  expect(cases.length).toBeGreaterThanOrEqual(54);
});

test.each(cases)("%s replays to the same signals", (name) => {
  const events = JSON.parse(readFileSync(eventsFile(name), "utf8")) as Signal[];
  expect(replay(converterOf(name), inputsOf(name))).toEqual(events);
});

test.each(cases)("%s is understood to its last line", (name) => {
  const signals = replay(converterOf(name), inputsOf(name));
  expect(signals.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
});

test.each(cases)("%s keeps every invariant of the protocol", (name) => {
  expect(checkInvariants(asLog(converterOf(name), inputsOf(name)))).toEqual([]);
});

test.each(cases)("%s: every command that led it is read back as the same command", (name) => {
  const converter = converterOf(name);
  for (const input of inputsOf(name)) {
    if (!("command" in input)) continue;
    const { replies } = converter.step(converter.initial(), { command: input.command });
    expect(replies.map((call) => converter.inputFromNative(call))).toEqual([input.command]);
  }
});

test.each(cases)("%s: what can be said in OpenCode's words comes back as it was", (name) => {
  const converter = converterOf(name);
  for (const signal of replay(converter, inputsOf(name))) {
    if (signal.type !== "item.started" && signal.type !== "plan.updated") continue;
    const native = converter.fromUniversal(signal);
    if (native === null) continue;
    const { bodies } = converter.step(converter.initial(), { native });
    const itemId = signal.type === "item.started" ? { item: { ...signal.data.item, itemId: "item_1" } } : signal.data;
    expect(bodies).toEqual([{ type: signal.type, data: itemId }]);
  }
});
