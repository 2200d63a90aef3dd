import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Match, searchSlices } from "./search-slices.ts";

const slices = Array.from({ length: 20 }, (_, slice) =>
  Array.from({ length: 5 }, (_, n): Match => ({ target: `${slice}/${n}`, score: (slice * 7 + n * 13) % 100 })),
);
const best = slices
  .flat()
  .sort((one, other) => other.score - one.score)
  .slice(0, 8);

describe("searchSlices", () => {
  it("tells the best of all slices at once where that is quick", () => {
    const found = searchSlices({ slices, search: (slice) => slice, limit: 8, isWanted: () => true });
    expect(found).toEqual(best);
  });

  it("lets other work go on between slices that take long, and finds the same", async () => {
    let searched = 0;
    const search = (slice: Match[]) => {
      searched++;
      return slowly(slice);
    };
    const found = searchSlices({ slices, search, limit: 8, isWanted: () => true });
    expect(found).toBeInstanceOf(Promise);
    const seen: number[] = [];
    for (let n = 0; n < 5; n++) {
      seen.push(searched);
      await setImmediate();
    }
    expect(new Set(seen).size).toBeGreaterThan(2);
    expect(searched).toBeLessThan(slices.length);
    expect(await found).toEqual(best);
  });

  it("ends where it is when somebody typed on", async () => {
    let searched = 0;
    const search = (slice: Match[]) => {
      searched++;
      return slowly(slice);
    };
    const found = searchSlices({ slices, search, limit: 8, isWanted: () => false });
    expect(await found).toEqual([]);
    expect(searched).toBe(1);
  });
});

/** Longer than a turn may take. */
function slowly<Value>(value: Value): Value {
  const until = performance.now() + 8;
  while (performance.now() < until);
  return value;
}
