import { expect, test } from "vitest";
import { callersOf, scoresOf } from "./scores.ts";
import type { FileSymbols } from "./symbol-parser.ts";

const symbols = new Map<string, FileSymbols>([
  ["src/a.ts", { defs: ["foo", "bar"], uses: { bar: 3 }, lines: 27 }],
  ["src/deep/b.ts", { defs: ["baz"], uses: { foo: 2 }, lines: 8 }],
  ["c.ts", { defs: [], uses: { foo: 1, unknown: 9 }, lines: 1 }],
]);
const callers = callersOf(symbols);

test("callers are the files that use a name somebody defines", () => {
  expect(callers.get("foo")?.files).toEqual(["c.ts", "src/deep/b.ts"]);
  expect(callers.has("unknown")).toBe(false);
});

test("the score is 0.8^depth · √(lines/(definitions+1)) · (1+ln(1+calls from other files)), to three decimals", () => {
  expect([...scoresOf("src/a.ts", symbols.get("src/a.ts"), callers)]).toEqual([
    ["foo", Math.round(0.8 * 3 * (1 + Math.log(4)) * 1000) / 1000],
    ["bar", 2.4],
  ]);
  expect([...scoresOf("src/deep/b.ts", symbols.get("src/deep/b.ts"), callers)]).toEqual([["baz", 1.28]]);
});
