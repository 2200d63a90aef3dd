import { expect, it } from "vitest";
import { offsetOf, RowHeights, rowAt, rowWindow } from "../src/model/row-window.ts";

it("a window draws what is seen and leaves room for the rest", () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
  const heights = new RowHeights(20);
  for (const key of keys.slice(0, 10)) heights.set(key, 50);
  heights.set("k0", 30);
  expect(offsetOf(keys, heights, 2)).toBe(80);
  expect(rowAt(keys, heights, 85)).toEqual({ index: 2, offset: 5 });
  const total = offsetOf(keys, heights, keys.length);
  for (const top of [0, 300, 20_000, total]) {
    const { first, end, above, below } = rowWindow(keys, heights, { top, height: 400, margin: 100 });
    expect(above + offsetOf(keys, heights, end) - offsetOf(keys, heights, first) + below).toBeCloseTo(total);
    expect(above).toBeLessThanOrEqual(top);
    expect(end - first).toBeLessThan(40);
  }
});
