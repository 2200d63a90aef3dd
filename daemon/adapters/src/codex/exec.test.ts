import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import { expect, test } from "vitest";
import { asLog } from "../../test/as-log.ts";
import { type RecordedInput, replay } from "../../test/recorded-life.ts";
import type { Signal } from "../signals.ts";
import { codexExecConverter } from "./exec.ts";
import type { ExecLine } from "./exec-native.ts";

/** Standard output of `codex exec --json`, 0.166.0. `UPDATE_EVENTS=1` writes the events anew. */
const fixtures = fileURLToPath(new URL("./fixtures/exec/", import.meta.url));
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
    const events = replay(codexExecConverter, inputsOf(name));
    writeFileSync(eventsFile(name), `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`);
  }
}

test("all recordings are here", () => {
  expect(cases.length).toBeGreaterThanOrEqual(26);
});

test.each(cases)("%s replays to the same signals, all of it understood", (name) => {
  const signals = replay(codexExecConverter, inputsOf(name));
  expect(signals).toEqual(JSON.parse(readFileSync(eventsFile(name), "utf8")) as Signal[]);
  expect(signals.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
});

test.each(cases)("%s keeps every invariant of the protocol", (name) => {
  expect(checkInvariants(asLog(codexExecConverter, inputsOf(name)))).toEqual([]);
});

test("usage is the growth of the thread's totals, over processes too", () => {
  const usage = { input_tokens: 220, cached_input_tokens: 20, output_tokens: 42, reasoning_output_tokens: 0 };
  const totals = { usage: { inputTokens: 110, outputTokens: 21, cachedInputTokens: 10 }, costUsd: 0 };
  const begun = codexExecConverter.step(codexExecConverter.initial({ nextItem: 5, totals }), {
    command: { type: "message", messageId: "m2", text: "again", attachments: [] },
  });
  const { bodies } = codexExecConverter.step(begun.state, { native: { type: "turn.completed", usage } });
  expect(bodies[0]).toEqual({
    type: "usage.updated",
    data: { inputTokens: 110, outputTokens: 21, cachedInputTokens: 10, reasoningTokens: 0 },
  });
});

test("a line that exec does not have is kept", () => {
  const native = { type: "thread.dreamt" } as unknown as ExecLine;
  expect(codexExecConverter.step(codexExecConverter.initial(), { native }).bodies).toMatchObject([
    { type: "agent.unparsed" },
  ]);
});
