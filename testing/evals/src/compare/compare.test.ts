import { describe, expect, test } from "vitest";
import { decide, type TaskDifference } from "./compare.ts";
import { randomFrom } from "./random.ts";
import { signFlipTest } from "./sign-flip.ts";
import { tInterval } from "./t-interval.ts";

/** 25 tasks of every difficulty, 5 runs an arm; `gain` is what the second arm passes more often. */
function draw(seed: number, gain: number): TaskDifference[] {
  const random = randomFrom(seed);
  const passes = (rate: number) => Array.from({ length: 5 }, () => random() < rate).filter(Boolean).length / 5;
  return Array.from({ length: 25 }, (_, at) => {
    // Around the middle a task's own difficulty varies and the gain fits in without being cut off.
    const rate = 0.5 - gain / 2 + (random() - 0.5) * (1 - gain - 0.1);
    return { task: `t${at}`, a: passes(rate), b: passes(rate + gain) };
  });
}

const seeds = Array.from({ length: 200 }, (_, at) => 1_000 + at);

describe("a comparison", () => {
  test("finds a planted difference of 20 points in at least 160 of 200 draws", () => {
    const found = seeds.filter((seed) => decide(draw(seed, 0.2)).verdict === "b is better").length;
    process.stdout.write(`evals: a difference of 20 points was found in ${found} of 200 comparisons\n`);
    expect(found).toBeGreaterThanOrEqual(160);
  });

  test("alarms in at most 16 of 200 draws of equals", () => {
    const alarms = seeds.filter((seed) => decide(draw(seed, 0)).verdict !== "undecided").length;
    process.stdout.write(`evals: equals alarmed in ${alarms} of 200 comparisons\n`);
    expect(alarms).toBeLessThanOrEqual(16);
  });

  test("says that it cannot decide, and how many tasks would", () => {
    const tasks = ["a", "b", "c"].map((task, at) => ({ task, a: 0.4, b: at === 0 ? 0.8 : 0.4 }));
    const { verdict, tasksNeeded, difference } = decide(tasks);
    expect({ verdict, difference: difference.toFixed(3) }).toEqual({ verdict: "undecided", difference: "0.133" });
    expect(tasksNeeded).toBeGreaterThan(3);
  });

  test("of nothing decides nothing", () => {
    expect(decide([])).toMatchObject({ verdict: "undecided", p: 1, interval: undefined, tasksNeeded: undefined });
  });
});

describe("the sign-flip test", () => {
  test.each([
    [[], 1],
    [[0, 0], 1],
    [[1], 1],
    [[1, 1], 0.5],
    [[1, 1, 1, 1, 1, 1], 2 / 64],
    [[1, -1], 1],
    [[0.2, 0.2, 0.2, 0.2, -0.2], 12 / 32],
  ])("gives the exact p-value of %j", (differences, p) => {
    expect(signFlipTest(differences)).toBeCloseTo(p, 10);
  });

  test("draws where there are too many tasks for every way, and comes near the exact value", () => {
    const differences = Array.from({ length: 17 }, (_, at) => (at < 13 ? 1 : -1));
    // Sums of 17 signs that are as far as 9 from zero: 2 · (C(17,0) + … + C(17,4)) / 2^17.
    expect(signFlipTest(differences)).toBeCloseTo((2 * (1 + 17 + 136 + 680 + 2380)) / 2 ** 17, 2);
  });
});

test("the t interval of known numbers", () => {
  const interval = tInterval([1, 2, 3, 4, 5]);
  expect([interval?.low.toFixed(3), interval?.high.toFixed(3)]).toEqual(["1.037", "4.963"]);
  expect(tInterval([1])).toBeUndefined();
});
