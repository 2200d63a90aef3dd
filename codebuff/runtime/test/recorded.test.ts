import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ourLines, recordedLines } from "./recorded-run.ts";

/** The written list: per scenario why ours differs, and each line only one side has (`-` the original, `+` ours). */
const differences: Readonly<Record<string, { why: string; lines: string[] }>> = JSON.parse(
  readFileSync(new URL("recorded-differences.json", import.meta.url), "utf8"),
);

const names = readdirSync(new URL("recorded", import.meta.url))
  .map((file) => file.replace(".jsonl", ""))
  .sort();

describe("what the original SDK 0.10.7 did, step by step; ours differs only as the list says", () => {
  test.each(names)("%s", async (name) => {
    const found = difference(recordedLines(name), await ourLines(name));
    expect(found).toEqual(differences[name]?.lines ?? []);
  });

  test("no scenario of the list is missing and every entry has a reason", () => {
    expect(names.length).toBeGreaterThan(50);
    expect(Object.keys(differences).filter((name) => !names.includes(name))).toEqual([]);
    for (const { why } of Object.values(differences)) expect(why).not.toBe("");
  });
});

/** The lines only one side has, in order, by the longest common subsequence. */
function difference(theirs: readonly string[], ours: readonly string[]): string[] {
  const lengths = Array.from({ length: theirs.length + 1 }, () => new Array<number>(ours.length + 1).fill(0));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = theirs.length - 1; i >= 0; i--) {
    for (let j = ours.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = theirs[i] === ours[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const result: string[] = [];
  let i = 0;
  let j = 0;
  while (i < theirs.length || j < ours.length) {
    if (i < theirs.length && j < ours.length && theirs[i] === ours[j]) {
      i++;
      j++;
    } else if (j < ours.length && (i === theirs.length || at(i, j + 1) >= at(i + 1, j))) result.push(`+ ${ours[j++]}`);
    else result.push(`- ${theirs[i++]}`);
  }
  return result;
}
