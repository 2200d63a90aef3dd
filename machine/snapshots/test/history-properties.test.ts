import { isLong } from "@muster/chaos";
import { expect, test } from "vitest";
import { HistoryRounds } from "./history-rounds.ts";

const lanes = 4;
const rounds = isLong ? 2_000 : 100;
const roundsEach = 25;

/**
 * Random turns of two sessions and a person in one directory, kills at random moments, then a rewind. A second
 * implementation by plain copies judges: every path is what it was for the session, and as others have left it elsewhere.
 */
test(`${rounds} rounds of random turns, judged by plain copies`, { timeout: 3_600_000 }, async () => {
  const seeds = Array.from({ length: rounds / roundsEach }, (_, index) => index + 1);
  const kinds = new Map<string, number>();
  const lane = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const told = await new HistoryRounds(seed).run(roundsEach);
      for (const [kind, count] of told) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  // What has never happened was not tried either.
  for (const kind of ["moved", "conflict", "undone", "killed", "person stays", "other stays"]) {
    expect(kinds.get(kind) ?? 0, [...kinds].join("; ")).toBeGreaterThan(0);
  }
});
