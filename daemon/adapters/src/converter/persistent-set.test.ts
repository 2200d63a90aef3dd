import { expect, test } from "vitest";
import { addTo, isIn, type PersistentSet } from "./persistent-set.ts";

test("holds what was added, and earlier sets stay as they were", () => {
  const history: PersistentSet<number>[] = [[]];
  for (let n = 0; n < 300; n++) history.push(addTo(history.at(-1) ?? [], n));
  history.forEach((set, size) => {
    expect([0, size - 1, size, 299].map((n) => isIn(set, n))).toEqual([size > 0, size > 0, false, size === 300]);
  });
});

test("ten thousand values lie in a few sets, so that adding one copies few", () => {
  let set: PersistentSet<number> = [];
  for (let n = 0; n < 10_000; n++) set = addTo(set, n);
  expect(set.length).toBeLessThan(20);
});
