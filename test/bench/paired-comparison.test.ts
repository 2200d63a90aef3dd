import { expect, it } from "vitest";

// By address: the benches have no types.
const bench = (name: string) => import(new URL(`../../bench/against/${name}`, import.meta.url).href);
const { compare } = await bench("compare.mjs");
const { medianInterval, verdictOf } = await bench("interval.mjs");

it("an interval of medians takes at least eight values, and leaves out what is wild at both ends", () => {
  expect(medianInterval([1, 2, 3, 4, 5, 6, 7])).toEqual({ median: 4, low: 0, high: Number.POSITIVE_INFINITY });
  expect(medianInterval([8, 1, 7, 2, 6, 3, 5, 4])).toEqual({ median: 5, low: 1, high: 8 });
  const many = Array.from({ length: 24 }, (_, at) => at + 1);
  expect(medianInterval([...many.slice(0, 23), 1e9])).toEqual({ median: 13, low: 6, high: 19 });
});

it.each([
  ["slower", { low: 1.051, high: 1.3 }],
  ["undecided", { low: 1.049, high: 1.3 }],
  ["undecided", { low: 0.9, high: 1.051 }],
  ["equal", { low: 0.9, high: 1.05 }],
  ["faster", { low: 0.8, high: 0.999 }],
])("a comparison is %s by its interval %j", (verdict, ends) => {
  expect(verdictOf({ median: 1, ...ends })).toBe(verdict);
});

it("a planted loss of 15 % is found in each of 40 runs on a machine as noisy as a shared one", async () => {
  const verdicts = await verdictsOf(40, 1.15);
  expect(verdicts.filter((verdict) => verdict !== "slower")).toEqual([]);
});

it("equal builds are never called slower, in 200 runs on the same machine", async () => {
  const verdicts = await verdictsOf(200, 1);
  expect(verdicts.filter((verdict) => verdict === "slower")).toEqual([]);
});

async function verdictsOf(runs: number, loss: number): Promise<string[]> {
  const verdicts: string[] = [];
  for (let run = 1; run <= runs; run++) verdicts.push(await verdictOfRun(run, loss));
  return verdicts;
}

/**
 * Noise as the bench of warm turns has it at load 9: a process is 3 % faster or slower for its whole life, a measurement 7 %,
 * both sides of a pair share what the neighbours do, and one measurement of thirty is half as long again.
 */
async function verdictOfRun(seed: number, loss: number): Promise<string> {
  const random = randomOf(seed);
  const spread = (share: number) => 1 + share * (random() + random() + random() - 1.5);
  const open = async ({ root }: { root: string }) => {
    const life = spread(0.06) * (root === "ours" ? loss : 1);
    const measure = async () => ({ cost: life * spread(0.14) * (random() < 1 / 30 ? 1.5 : 1) });
    return { measure, close: async () => {} };
  };
  const [figure] = await compare({
    subject: { units: { cost: "ms" }, open },
    ours: { root: "ours", nodeArgs: [] },
    theirs: { root: "theirs", nodeArgs: [] },
    isQuick: false,
    say: () => {},
  });
  return figure?.verdict ?? "";
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
