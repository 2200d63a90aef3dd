import type { Results } from "../results/results-folder.ts";
import { signFlipTest } from "./sign-flip.ts";
import { deviationOf, type Interval, tInterval, tQuantile } from "./t-interval.ts";

export interface TaskDifference {
  readonly task: string;
  /** Parts of the runs that passed, 0 to 1. */
  readonly a: number;
  readonly b: number;
}

export interface Comparison {
  readonly tasks: readonly TaskDifference[];
  /** Tasks that only one of the two has results for; they decide nothing. */
  readonly unpaired: readonly string[];
  readonly a: number;
  readonly b: number;
  /** b − a, the mean over tasks. */
  readonly difference: number;
  /** By the sign-flip permutation test over tasks. */
  readonly p: number;
  /** 95 %, by Student's t over tasks. */
  readonly interval: Interval | undefined;
  readonly verdict: "a is better" | "b is better" | "undecided";
  /** Where it is undecided: with about so many tasks of this kind the difference that was seen would be decided. */
  readonly tasksNeeded: number | undefined;
}

const level = 0.05;
/** The normal quantile for finding a difference in 80 of 100 cases. */
const powerQuantile = 0.84;

/** Two sets of results, paired by task. A run that ended in an error counts as not passed: nothing is left out in silence. */
export function compareResults(a: Results, b: Results, seed = 1): Comparison {
  const [ratesA, ratesB] = [ratesOf(a), ratesOf(b)];
  const tasks = [...ratesA].flatMap(([task, rate]) => {
    const other = ratesB.get(task);
    return other === undefined ? [] : [{ task, a: rate, b: other }];
  });
  const paired = new Set(tasks.map(({ task }) => task));
  const unpaired = [...new Set([...ratesA.keys(), ...ratesB.keys()])].filter((task) => !paired.has(task)).sort();
  return { tasks, unpaired, ...decide(tasks, seed) };
}

export function decide(tasks: readonly TaskDifference[], seed = 1) {
  const differences = tasks.map(({ a, b }) => b - a);
  const difference = meanOf(differences);
  const p = signFlipTest(differences, seed);
  const isDecided = p <= level;
  const better = difference > 0 ? ("b is better" as const) : ("a is better" as const);
  return {
    a: meanOf(tasks.map((task) => task.a)),
    b: meanOf(tasks.map((task) => task.b)),
    difference,
    p,
    interval: tInterval(differences),
    verdict: isDecided ? better : ("undecided" as const),
    tasksNeeded: isDecided ? undefined : tasksNeededFor(differences, difference),
  };
}

/** From the spread of the tasks' differences: (t + z)² · s² ÷ d². More runs of a task make its own share of s smaller. */
function tasksNeededFor(differences: readonly number[], difference: number): number | undefined {
  if (differences.length < 2 || difference === 0) return undefined;
  const spread = deviationOf(differences, difference);
  const needed = Math.ceil(((tQuantile(differences.length - 1) + powerQuantile) * (spread / difference)) ** 2);
  return Math.max(needed, differences.length + 1);
}

/** task → the part of its runs that passed. */
function ratesOf({ runs }: Results): Map<string, number> {
  const byTask = new Map<string, boolean[]>();
  for (const { task, passed } of runs) byTask.set(task, [...(byTask.get(task) ?? []), passed]);
  return new Map(
    [...byTask]
      .map(([task, passes]) => [task, meanOf(passes.map(Number))] as const)
      .sort(([x], [y]) => (x < y ? -1 : 1)),
  );
}

const meanOf = (numbers: readonly number[]) =>
  numbers.length === 0 ? 0 : numbers.reduce((total, one) => total + one, 0) / numbers.length;
