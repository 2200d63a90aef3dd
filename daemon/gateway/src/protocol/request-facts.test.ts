import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Endpoint } from "./endpoints.ts";
import { readFacts } from "./request-facts.ts";

const endpoint: Endpoint = { kind: "model", protocol: "messages" };
const read = (text: string | Buffer, encoding?: string) => readFacts(Buffer.from(text), endpoint, encoding);

describe("The model of a body", () => {
  it("is what a parser finds, whatever else is in the body", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.string(), fc.constant("model")), fc.jsonValue()),
        fc.string(),
        (rest, model) => {
          const body = { ...rest, model };
          expect(read(JSON.stringify(body)).model).toBe(model);
          expect(read(JSON.stringify({ nested: body, list: [body, "model"] })).model).toBeUndefined();
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{"model":"a","x":{"model":"b"},"model":"c"}', "c"],
    ['{"x":"\\"model\\":\\"no\\"","model":"a\\\\"}', "a\\"],
    [' {\n "model" : "a" }', "a"],
    ['{"model":7}', undefined],
    ['{"model"', undefined],
    ["not json", undefined],
    ["", undefined],
  ])("%j", (body, model) => expect(read(body).model).toBe(model));

  it("is found in a compressed body, and in the path of Gemini", () => {
    expect(read(gzipSync('{"model":"a"}'), "gzip").model).toBe("a");
    expect(read("odd", "gzip").model).toBeUndefined();
    expect(read(gzipSync('{"model":"a"}'), "zstd").model).toBeUndefined();
    expect(readFacts(Buffer.from("{}"), { kind: "model", protocol: "gemini", model: "g" }, undefined).model).toBe("g");
  });
});

describe("The input of a body", () => {
  it("is about a token for four bytes of text", () => {
    expect(read(JSON.stringify({ model: "m", x: "word ".repeat(8_000) })).inputTokens).toBeCloseTo(10_000, -2);
  });

  it("counts a file in base64 as an image, not by its letters", () => {
    const image = Buffer.alloc(3_000_000, 7).toString("base64");
    expect(read(JSON.stringify({ model: "m", source: { data: image } })).inputTokens).toBeLessThan(3_000);
  });
});
