import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import { expect, test } from "vitest";
import { asLog } from "../../test/as-log.ts";
import { type RecordedInput, replay } from "../../test/recorded-life.ts";
import type { Signal } from "../signals.ts";
import { codexConverter } from "./convert.ts";

/**
 * Recorded from Codex 0.166.0 against a scripted model: the lines of one session and the commands that led it. The ids of
 * our requests are as we would have sent them. `UPDATE_EVENTS=1` writes the events anew, to be read before they are kept.
 */
const fixtures = fileURLToPath(new URL("./fixtures/app-server/", import.meta.url));
const cases = readdirSync(fixtures);
const converter = codexConverter({ permissionMode: "default" });

/** What no client of ours can answer; everything else of every recording is understood. */
const notUnderstood: Readonly<Record<string, string[]>> = {
  "dynamic-tool": ["This client does not answer item/tool/call"],
};

function inputsOf(name: string): RecordedInput[] {
  const lines = readFileSync(join(fixtures, name, "native.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  return lines.map((line) => JSON.parse(line) as RecordedInput);
}

const eventsFile = (name: string) => join(fixtures, name, "events.json");

if (process.env.UPDATE_EVENTS === "1") {
  for (const name of cases) {
    const events = replay(converter, inputsOf(name));
    writeFileSync(eventsFile(name), `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`);
  }
}

test("all recordings are here", () => {
  expect(cases.length).toBeGreaterThanOrEqual(60);
});

test.each(cases)("%s replays to the same signals", (name) => {
  const events = JSON.parse(readFileSync(eventsFile(name), "utf8")) as Signal[];
  expect(replay(converter, inputsOf(name))).toEqual(events);
});

test.each(cases)("%s is understood to its last line", (name) => {
  const errors = replay(converter, inputsOf(name)).flatMap((signal) =>
    signal.type === "agent.unparsed" ? [signal.data.error] : [],
  );
  expect(errors).toEqual(notUnderstood[name] ?? []);
});

test.each(cases)("%s keeps every invariant of the protocol", (name) => {
  expect(checkInvariants(asLog(converter, inputsOf(name)))).toEqual([]);
});
