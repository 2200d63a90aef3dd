import { randomFrom } from "./random.ts";

/** So many tasks that differ are flipped in every way there is; above it, in ways that are drawn. */
const mostExact = 16;
const draws = 20_000;

/**
 * The p-value of a sign-flip permutation test: how often tasks whose differences have a random sign are as far from zero
 * on average as these. It stays honest with few tasks, where the percentile bootstrap is too narrow.
 */
export function signFlipTest(differences: readonly number[], seed = 1): number {
  const moved = differences.filter((difference) => difference !== 0);
  if (moved.length === 0) return 1;
  const seen = Math.abs(sum(moved));
  // Sums of the same numbers in another order may differ in the last bits.
  const isAsFar = (total: number) => Math.abs(total) >= seen - 1e-9;
  if (moved.length <= mostExact) {
    const ways = 2 ** moved.length;
    let asFar = 0;
    for (let way = 0; way < ways; way++) {
      if (isAsFar(moved.reduce((total, one, index) => total + ((way >> index) & 1 ? one : -one), 0))) asFar++;
    }
    return asFar / ways;
  }
  const random = randomFrom(seed);
  let asFar = 1;
  for (let draw = 0; draw < draws; draw++) {
    if (isAsFar(moved.reduce((total, one) => total + (random() < 0.5 ? one : -one), 0))) asFar++;
  }
  return asFar / (draws + 1);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
