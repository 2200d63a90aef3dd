import { formatTable, percent } from "../results/format-table.ts";
import type { Comparison } from "./compare.ts";

/** What a comparison says, in sentences: which is better, by how much, and how sure that is. */
export function formatComparison(comparison: Comparison, [a, b]: readonly [string, string]): string {
  const { tasks, unpaired, difference, p, interval, verdict, tasksNeeded } = comparison;
  const rows = tasks.map((task) => [task.task, percent(task.a), percent(task.b), signed(task.b - task.a)]);
  const decided =
    verdict === "undecided"
      ? "The data cannot decide which is better."
      : `${verdict === "a is better" ? a : b} is better.`;
  const needed =
    tasksNeeded === undefined
      ? []
      : [
          `To decide a difference of ${signed(difference)} in 80 of 100 cases takes about ${tasksNeeded} tasks like these, or more runs of each.`,
        ];
  return [
    ...formatTable([["task", a, b, "difference"], ...rows]),
    "",
    `${a} ${percent(comparison.a)}, ${b} ${percent(comparison.b)}: ${signed(difference)} over ${tasks.length} tasks.`,
    interval === undefined
      ? "Two tasks are the least for an interval."
      : `95 % t interval over tasks: ${signed(interval.low)} to ${signed(interval.high)}.`,
    `Sign-flip permutation test over tasks: p = ${p.toFixed(4)}.`,
    decided,
    ...(verdict === "undecided" ? needed : []),
    ...(unpaired.length === 0 ? [] : [`Left out, because only one has results: ${unpaired.join(", ")}.`]),
  ].join("\n");
}

const signed = (part: number) => `${part > 0 ? "+" : ""}${(part * 100).toFixed(1)} points`;
