import type { Comparison } from "../compare/compare.ts";
import type { Result } from "./result.ts";
import type { Results } from "./results-folder.ts";

/** The table of a set of results, a line a task, for a terminal. */
export function formatResults({ settings, runs }: Results): string {
  const tasks = [...new Set(runs.map(({ task }) => task))].sort();
  const rows = tasks.map((task) =>
    rowOf(
      task,
      runs.filter((run) => run.task === task),
    ),
  );
  const head = ["task", "passed", "score", "seconds", "cost", "tokens", "steps", "errors", "asked"];
  const passed = runs.filter((run) => run.passed).length;
  const cost = sumOf(runs, ({ costUsd }) => costUsd ?? 0);
  const errors = runs.filter(({ outcome }) => outcome === "error");
  return [
    `${settings.label}: ${passed} of ${runs.length} runs passed (${percent(passed / Math.max(runs.length, 1))}), $${cost.toFixed(4)}`,
    ...formatTable([head, ...rows]),
    ...(runs.some(({ confined }) => !confined)
      ? ["Not confined: this kernel offers no walls, so an agent could have read the checks."]
      : []),
    ...errors.map(({ task, run, reason }) => `error in ${task} run ${run}: ${reason.split("\n")[0]}`),
  ].join("\n");
}

function rowOf(task: string, runs: readonly Result[]): string[] {
  const mean = (value: (run: Result) => number) => sumOf(runs, value) / runs.length;
  const costs = runs.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  return [
    task,
    `${runs.filter(({ passed }) => passed).length}/${runs.length}`,
    mean(({ score }) => score).toFixed(2),
    mean(({ seconds }) => seconds).toFixed(1),
    costs.length === 0 ? "-" : `$${(costs.reduce((total, one) => total + one, 0) / costs.length).toFixed(4)}`,
    String(Math.round(mean(({ tokens }) => tokens.input + tokens.output))),
    mean(({ steps }) => steps).toFixed(1),
    String(sumOf(runs, ({ toolErrors }) => toolErrors)),
    String(sumOf(runs, ({ permissions, questions }) => permissions + questions)),
  ];
}

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

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

const sumOf = (runs: readonly Result[], value: (run: Result) => number) =>
  runs.reduce((total, run) => total + value(run), 0);
const percent = (part: number) => `${(part * 100).toFixed(0)} %`;
const signed = (part: number) => `${part > 0 ? "+" : ""}${(part * 100).toFixed(1)} points`;
