import { expect, it } from "vitest";
import { isRecord, parseJson } from "./json.ts";

it("parseJson tells JSON null from a text that is no JSON", () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(parseJson("null", "nothing")).toBeNull();
  for (const text of [undefined, "", '{"a":', "words", "{} {}"]) {
    expect([parseJson(text), parseJson(text, "nothing")]).toEqual([undefined, "nothing"]);
  }
});

it("isRecord takes objects with fields and nothing else", () => {
  expect([{}, { a: 1 }, Object.create(null)].map(isRecord)).toEqual([true, true, true]);
  expect([null, undefined, [], "{}", 1, () => 1].some(isRecord)).toBe(false);
});
