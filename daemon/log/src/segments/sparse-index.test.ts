import { expect, test } from "vitest";
import { pointDistance, SparseIndex } from "./sparse-index.ts";

test("finds the known beginnings around a sequence", () => {
  const index = new SparseIndex();
  for (const n of [0, 3, 1, 2]) index.add(1 + n * 100, 50 + n * pointDistance);
  expect(index.around(1)).toEqual({
    before: { sequence: 1, offset: 50 },
    after: { sequence: 101, offset: 50 + pointDistance },
  });
  expect(index.around(299).before).toEqual({ sequence: 201, offset: 50 + 2 * pointDistance });
  expect(index.around(1_000)).toEqual({ before: { sequence: 301, offset: 50 + 3 * pointDistance }, after: undefined });
});

test("stays sparse, however many points it is given in whatever order", () => {
  const index = new SparseIndex();
  for (let n = 1; n <= 1_000; n++) index.add(n, n * 1_000);
  for (let n = 1_000; n >= 1; n--) index.add(n, n * 1_000);
  const points = new Set(Array.from({ length: 1_000 }, (_, n) => index.around(n + 1).before?.offset));
  expect(points.size).toBeLessThanOrEqual(1_000_000 / pointDistance + 1);
});

test("knows nothing in the beginning", () => {
  expect(new SparseIndex().around(5)).toEqual({ before: undefined, after: undefined });
});
