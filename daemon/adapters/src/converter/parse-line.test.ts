import { expect, it } from "vitest";
import { parseLine } from "./parse-line.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

it("takes what anybody means and refuses what only breaks those who read it", () => {
  expect(parseLine('{"a":[1]}')).toEqual({ a: [1] });
  expect(JSON.stringify(parseLine(nested(256)))).toBe(nested(256));
  expect(() => parseLine(`{"a":${nested(300)}}`)).toThrow("nested deeper than 256 levels");
  expect(() => parseLine(nested(1_000_000))).toThrow("nested deeper than 256 levels");
  expect(parseLine(JSON.stringify({ long: "x".repeat(100_000) }))).toEqual({ long: "x".repeat(100_000) });
  expect(() => parseLine("{")).toThrow(SyntaxError);
});
