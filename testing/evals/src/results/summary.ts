import { formatTable, percent } from "./format-table.ts";
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

const sumOf = (runs: readonly Result[], value: (run: Result) => number) =>
  runs.reduce((total, run) => total + value(run), 0);
