/** What ratios of pairs say: their median, an interval that needs no assumption about the noise, and a verdict. */
import { median } from "../statistics.mjs";

/** Ratios within this are no loss that anybody would mend. */
export const margin = 0.05;
/** How seldom the true median may lie outside the interval. */
const mostDoubt = 0.01;

/**
 * The median lies between two of the sorted values: each value is as likely above it as below, so the number of those below
 * is binomial. One wild value moves nothing.
 * @returns {{ median: number, low: number, high: number }} an interval without ends where there are too few values
 */
export function medianInterval(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const cut = outside(sorted.length);
  if (cut < 0) return { median: median(sorted), low: 0, high: Number.POSITIVE_INFINITY };
  return { median: median(sorted), low: sorted[cut], high: sorted[sorted.length - 1 - cut] };
}

/** @returns {"slower" | "faster" | "equal" | "undecided"} `equal`: no worse than the margin */
export function verdictOf({ low, high }) {
  if (low > 1 + margin) return "slower";
  if (high < 1) return "faster";
  return high <= 1 + margin ? "equal" : "undecided";
}

/** How many values may be left out at each end; negative: not even all of them are enough. */
function outside(count) {
  let chance = 0.5 ** count;
  let below = chance;
  let cut = -1;
  while (2 * below <= mostDoubt) {
    cut++;
    chance *= (count - cut) / (cut + 1);
    below += chance;
  }
  return cut;
}
