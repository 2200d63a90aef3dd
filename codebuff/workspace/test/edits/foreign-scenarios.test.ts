import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { outputError } from "@muster/codebuff-protocol";
import { expect, test } from "vitest";
import { projectFixture } from "../project-fixture.ts";
import { type Origin, type Scenario, scenarios } from "./foreign-scenarios.ts";

type Outcome = "applied" | "refused rightly" | "refused though others apply" | "wrong";
const outcomes: readonly Outcome[] = ["applied", "refused rightly", "refused though others apply", "wrong"];

/** Runs a scenario in a directory of its own and compares every file. A refusal must leave everything as it was. */
async function outcomeOf(scenario: Scenario): Promise<{ outcome: Outcome; error: string | undefined }> {
  const { root, output } = await projectFixture(scenario.before);
  const error = outputError(await output(scenario.call.toolName, scenario.call.input));
  const now = JSON.stringify(filesIn(root));
  const same = (files: Readonly<Record<string, string>>) => now === JSON.stringify(sorted(files));
  if (error !== undefined) {
    if (!same(scenario.before)) return { outcome: "wrong", error };
    return { outcome: scenario.theirs === "refused" ? "refused rightly" : "refused though others apply", error };
  }
  return { outcome: scenario.theirs !== "refused" && same(scenario.theirs) ? "applied" : "wrong", error };
}

test("the table in the README is what the scenarios of others give", async () => {
  const counts = new Map<Origin, Record<Outcome, number>>();
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const scenario of scenarios) {
    const row = counts.get(scenario.from) ?? {
      applied: 0,
      "refused rightly": 0,
      "refused though others apply": 0,
      wrong: 0,
    };
    const { outcome, error } = await outcomeOf(scenario);
    row[outcome] += 1;
    counts.set(scenario.from, row);
    if (outcome === "wrong") wrong.push(`${scenario.from}: ${scenario.name}`);
    if (outcome === "refused though others apply")
      refused.push(`${scenario.from}: ${scenario.name} (${error?.slice(0, 80)})`);
  }
  expect(wrong).toEqual([]);
  const rows = [...counts].map(([from, row]) => `| ${from} | ${outcomes.map((outcome) => row[outcome]).join(" | ")} |`);
  const table = [`| | ${outcomes.join(" | ")} |`, "|---|---|---|---|---|", ...rows].join("\n");
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme, `${table}\n${refused.join("\n")}`).toContain(table);
});

test("a new file of a git diff gets its exec bit", async () => {
  const { root, output } = await projectFixture();
  const patch =
    "diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n";
  expect(outputError(await output("apply_patch", { operation: { type: "patch", patch } }))).toBeUndefined();
  expect(statSync(path.join(root, "run.sh")).mode & 0o111).not.toBe(0);
  const back = "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n";
  expect(outputError(await output("apply_patch", { operation: { type: "patch", patch: back } }))).toBeUndefined();
  expect(statSync(path.join(root, "run.sh")).mode & 0o111).toBe(0);
});

function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map((entry) => path.join(entry.parentPath, entry.name));
  return sorted(Object.fromEntries(files.map((file) => [path.relative(directory, file), readFileSync(file, "utf8")])));
}

function sorted(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
