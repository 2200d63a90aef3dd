import { expect, test } from "vitest";
import { learnIndents } from "./indentation.ts";

test.each([
  ["a shift seen at depth zero", [["", "    "]], "  ", "      "],
  [
    "a shift seen at two depths",
    [
      ["  ", "      "],
      ["    ", "        "],
    ],
    "      ",
    "          ",
  ],
  [
    "a cut",
    [
      ["    ", ""],
      ["      ", "  "],
    ],
    "        ",
    "    ",
  ],
  ["tabs for four blanks", [["    ", "\t"]], "        ", "\t\t"],
  [
    "two blanks for tabs",
    [
      ["\t", "  "],
      ["\t\t", "    "],
    ],
    "\t\t\t",
    "      ",
  ],
] as [string, [string, string][], string, string][])("%s is carried on", (_title, pairs, indent, expected) => {
  expect(learnIndents(pairs.map(([from, to]) => ({ from, to })))?.translate(indent)).toBe(expected);
});

test.each([
  ["one pair that may be a shift or another unit", [["  ", "    "]], "    "],
  ["a depth that was cut away", [["    ", ""]], "  "],
  ["tabs and blanks mixed", [["", "\t"]], "  "],
  ["eight blanks as two tabs only", [["        ", "\t\t"]], "            "],
] as [string, [string, string][], string][])("%s gives no answer", (_title, pairs, indent) => {
  expect(learnIndents(pairs.map(([from, to]) => ({ from, to })))?.translate(indent)).toBeUndefined();
});

test.each([
  [
    "one depth that became two",
    [
      ["", ""],
      ["", "  "],
    ],
  ],
  [
    "two depths that became one",
    [
      ["", ""],
      ["  ", ""],
    ],
  ],
  [
    "depths in another order",
    [
      ["  ", "    "],
      ["    ", "  "],
    ],
  ],
] as [string, [string, string][]][])("%s is no map at all", (_title, pairs) => {
  expect(learnIndents(pairs.map(([from, to]) => ({ from, to })))).toBeUndefined();
});
