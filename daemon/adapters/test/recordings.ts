import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkInvariants } from "@muster/conformance";
import { eventData } from "@muster/schema";
import { expect, test } from "vitest";
import type { Converter } from "../src/converter/converter.ts";
import type { Signal } from "../src/signals.ts";
import { asLog } from "./conversion/as-log.ts";
import { type RecordedInput, readInputs, readRecorded, replay } from "./recorded-life.ts";

export interface RecordingsOptions<State, Native> {
  /** The folder of the recordings, one folder each. */
  folder: URL;
  /** How many there are at least, so that none gets lost. */
  least: number;
  converter: (inputs: readonly RecordedInput[]) => Converter<State, Native>;
  /** What cannot be understood on purpose: recording → the errors of its unparsed lines. */
  notUnderstood?: Readonly<Record<string, readonly string[]>>;
  /** Why the invariants are shown elsewhere. */
  invariants?: "shown by a real daemon";
}

/**
 * Every recording of an agent replays to the same signals, is understood to its last line, and keeps the invariants.
 * `UPDATE_EVENTS=1` writes the signals anew, to be read before they are kept.
 */
export function recordings<State, Native>(options: RecordingsOptions<State, Native>): void {
  const root = fileURLToPath(options.folder);
  const cases = readdirSync(root);
  const replayed = (name: string): Signal[] => {
    const inputs = readInputs(join(root, name));
    return replay(options.converter(inputs), inputs);
  };

  if (process.env.UPDATE_EVENTS === "1") {
    for (const name of cases) {
      const lines = replayed(name).map((event) => JSON.stringify(event));
      writeFileSync(join(root, name, "events.json"), `[\n${lines.join(",\n")}\n]\n`);
    }
  }

  test("all recordings are here", () => {
    expect(cases.length).toBeGreaterThanOrEqual(options.least);
  });

  test.each(cases)("%s replays to the same signals", (name) => {
    expect(replayed(name)).toEqual(readRecorded(join(root, name)).events);
  });

  test.each(cases)("%s is understood to its last line", (name) => {
    const signals = replayed(name);
    const errors = signals.flatMap((signal) => (signal.type === "agent.unparsed" ? [signal.data.error] : []));
    expect(errors).toEqual(options.notUnderstood?.[name] ?? []);
    for (const { type, data } of signals) {
      const schema = Object.hasOwn(eventData, type) ? eventData[type as keyof typeof eventData] : undefined;
      if (schema !== undefined) expect(schema.safeParse(data).error).toBeUndefined();
    }
  });

  if (options.invariants !== undefined) return;
  test.each(cases)("%s keeps every invariant of the protocol", (name) => {
    const inputs = readInputs(join(root, name));
    expect(checkInvariants(asLog(options.converter(inputs), inputs))).toEqual([]);
  });
}
