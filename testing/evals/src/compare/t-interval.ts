export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 95 % t interval of the mean of the tasks' differences; undefined with fewer than two tasks. */
export function tInterval(differences: readonly number[]): Interval | undefined {
  const count = differences.length;
  if (count < 2) return undefined;
  const mean = differences.reduce((total, one) => total + one, 0) / count;
  const half = tQuantile(count - 1) * (deviationOf(differences, mean) / Math.sqrt(count));
  return { low: mean - half, high: mean + half };
}

export function deviationOf(numbers: readonly number[], mean: number): number {
  return Math.sqrt(numbers.reduce((total, one) => total + (one - mean) ** 2, 0) / (numbers.length - 1));
}

/** The 97.5 % quantile of Student's t by degrees of freedom; between two rows the wider one counts. */
const quantiles = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [6, 2.447],
  [7, 2.365],
  [8, 2.306],
  [9, 2.262],
  [10, 2.228],
  [12, 2.179],
  [15, 2.131],
  [20, 2.086],
  [25, 2.06],
  [30, 2.042],
  [40, 2.021],
  [60, 2],
  [120, 1.98],
  [Infinity, 1.96],
] as const;

export function tQuantile(freedom: number): number {
  const row = quantiles.findLast(([least]) => least <= freedom) ?? quantiles[0];
  return row[1];
}
