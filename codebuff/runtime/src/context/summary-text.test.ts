import fc from "fast-check";
import { expect, test } from "vitest";
import type { Summary } from "./summary.ts";
import { readSummaryText, summaryText } from "./summary-text.ts";

const goals = { subgoals: {}, todos: [] };
const text = fc
  .array(fc.constantFrom("a", " ", "\n", "</user>", "<user>", "<\\user>", "<work>", "</conversation_summary>", "$1"), {
    minLength: 1,
  })
  .map((words) => words.join(""));
const path = fc.string({ minLength: 1 }).filter((name) => !name.includes("\n"));

test("a summary that has room is read back as it was, whatever the texts contain", () => {
  fc.assert(
    fc.property(
      fc.array(text),
      fc.array(text),
      fc.array(text),
      fc.uniqueArray(path),
      path,
      (users, decisions, work, files, edited) => {
        const summary: Summary = {
          users,
          decisions,
          work,
          files: new Set(files),
          edits: new Map([[edited, "diff\n+1"]]),
        };
        expect(readSummaryText(summaryText(summary, goals, 1_000_000))).toEqual(summary);
      },
    ),
  );
});

test("it never takes more room than it has", () => {
  fc.assert(
    fc.property(
      fc.array(text),
      fc.array(text),
      fc.array(path),
      fc.integer({ min: 200, max: 3_000 }),
      (users, work, files, limit) => {
        const summary: Summary = {
          users,
          decisions: users,
          work,
          files: new Set(files),
          edits: new Map(files.map((name) => [name, name])),
        };
        expect(summaryText(summary, goals, limit).length).toBeLessThanOrEqual(limit);
      },
    ),
  );
});

test("short wishes stay whole beside long ones; the middle of the work goes first", () => {
  const summary: Summary = {
    users: ["x".repeat(9_000), "use tabs", "y".repeat(9_000)],
    decisions: [],
    files: new Set(),
    edits: new Map(),
    work: Array.from({ length: 500 }, (_, index) => `step ${index} of the work`),
  };
  const written = summaryText(summary, goals, 6_000);
  expect(written).toContain("use tabs");
  expect(written).toContain("step 0 of");
  expect(written).toContain("step 499 of");
  expect(written).not.toContain("step 250 of");
  expect(written).toMatch(/\(\d+ entries left out\)/);
});
