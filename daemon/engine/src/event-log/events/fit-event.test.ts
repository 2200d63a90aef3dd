import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutText, fitData } from "./fit-event.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const isWellFormed = (text: string) => Buffer.from(text).toString() === text;

describe("fitData", () => {
  test("cuts only the longest string and names it", () => {
    const data = { itemId: "item_1", delta: "x".repeat(5_000), note: "y".repeat(100) };
    const fitted = fitData(data, 1_000);
    expect(fitted.data).toEqual({ ...data, delta: "x".repeat(5_000 - (bytesOf(data) - 1_000)) });
    expect(fitted.truncated).toEqual({ field: "data.delta", bytes: bytesOf(data) - bytesOf(fitted.data) });
    expect(bytesOf(fitted.data)).toBe(1_000);
  });

  test("cuts strings of equal length to an equal length", () => {
    const fitted = fitData({ a: "a".repeat(4_000), b: ["b".repeat(4_000)], c: "short" }, 2_000);
    const { a, b, c } = fitted.data as { a: string; b: [string]; c: string };
    expect([a.length, c]).toEqual([b[0].length, "short"]);
    expect(a.length).toBeGreaterThan(900);
  });

  test("leaves its input as it was", () => {
    const data = { text: "t".repeat(2_000) };
    fitData(data, 500);
    expect(data.text).toHaveLength(2_000);
  });

  test("shortens the container where the size is not in strings, and keeps what stands beside it", () => {
    const fitted = fitData({ raw: { numbers: Array.from({ length: 10_000 }, (_, n) => n) }, error: "e" }, 1_000);
    const { raw, error } = fitted.data as { raw: { numbers: number[] }; error: string };
    expect(error).toBe("e");
    expect(raw.numbers.length).toBeGreaterThan(200);
    expect(raw.numbers).toEqual(raw.numbers.map((_, n) => n));
    expect(fitted.truncated.field).toBe("data.raw.numbers");
  });

  test("drops a key that is longer than the limit", () => {
    const fitted = fitData({ raw: { ["k".repeat(5_000)]: 1, small: 2 } }, 1_000);
    expect(bytesOf(fitted.data)).toBeLessThanOrEqual(1_000);
  });

  test("fits what is nested deeper than it looks", () => {
    let nested: unknown = [1];
    for (let depth = 0; depth < 2_000; depth++) nested = { next: nested, numbers: [1, 2, 3, 4, 5, 6, 7, 8] };
    const fitted = fitData({ raw: nested, error: "e" }, 1_000);
    expect(bytesOf(fitted.data)).toBeLessThanOrEqual(1_000);
    expect(fitted.data).toHaveProperty("error", "e");
  });

  test("always fits, for any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: "binary", minLength: 500 }), (value, text) => {
        const data = { value, text, more: [text, { value }] };
        const limit = 400;
        const fitted = fitData(data, limit);
        expect(bytesOf(fitted.data)).toBeLessThanOrEqual(limit);
        expect(JSON.parse(JSON.stringify(fitted.data))).toEqual(fitted.data);
      }),
    );
  });
});

describe("cutText", () => {
  test("keeps surrogate pairs whole and stays within the bytes its JSON takes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(200), (text, bytes) => {
        const cut = cutText(text, bytes);
        expect(text.startsWith(cut)).toBe(true);
        expect(bytesOf(cut) - 2).toBeLessThanOrEqual(bytes);
        if (isWellFormed(text)) expect(isWellFormed(cut)).toBe(true);
        const next = text.slice(cut.length);
        const one = next.slice(0, (next.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
        if (one !== "") expect(bytesOf(cut + one) - 2).toBeGreaterThan(bytes);
      }),
    );
  });

  test("stops before an emoji that does not fit as a whole", () => {
    expect(cutText("ab😀cd", 5)).toBe("ab");
    expect(cutText("ab😀cd", 6)).toBe("ab😀");
  });
});
