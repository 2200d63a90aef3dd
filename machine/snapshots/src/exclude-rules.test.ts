import { describe, expect, test } from "vitest";
import { patternBelow } from "./exclude-rules.ts";

describe("ignore rules of a directory above", () => {
  test.each([
    ["dist", "packages/a", "dist"],
    ["*.log", "packages/a", "*.log"],
    ["build/", "packages/a", "build/"],
    ["!keep.log", "packages/a", "!keep.log"],
    ["**/cache", "packages/a", "**/cache"],
    ["/packages/a/out", "packages/a", "/out"],
    ["packages/a/out/", "packages/a", "/out/"],
    ["!packages/a/out", "packages/a", "!/out"],
    ["/dist", "packages/a", null],
    ["packages/b/out", "packages/a", null],
    ["# comment", "packages/a", null],
    ["", "packages/a", null],
    ["/dist", "", "/dist"],
  ])("%j seen from %j is %j", (line, below, expected) => expect(patternBelow(line, below)).toBe(expected));
});
