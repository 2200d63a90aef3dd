import { expect, it } from "vitest";
import { ChoiceDialog, type Chosen } from "../dialogs/choice-dialog.ts";
import { themeFor } from "../text/theme.ts";
import { answerByLine, spokenQuestion } from "./spoken-dialog.ts";

const choices = [
  { label: "SQLite", value: "a" },
  { label: "Postgres", help: "a server", value: "b" },
  { label: "Something else", value: "own", takesText: true },
];

/** What a line answers; `none` when it answers nothing. */
function answer(line: string, several = false): Chosen<unknown> | undefined | "none" {
  let chosen: Chosen<unknown> | undefined | "none" = "none";
  const options = { title: "Which?", choices, several, escape: "skips" };
  const dialog = new ChoiceDialog<unknown>(options, (one) => {
    chosen = one;
  });
  expect(answerByLine(dialog, line)).toBe(chosen !== "none");
  return chosen;
}

it("a line answers by number, by words, by both, or not at all", () => {
  expect(answer("2")).toEqual({ values: ["b"], text: "" });
  expect(answer("3 a third one")).toEqual({ values: ["own"], text: "a third one" });
  expect(answer("a third one")).toEqual({ values: ["own"], text: "a third one" });
  expect(answer("2 but small")).toBe("none");
  expect(answer("3")).toBe("none");
  expect(answer("9")).toBe("none");
  expect(answer("1 2")).toBe("none");
  expect(answer("  ")).toBeUndefined();
});

it("several are several numbers, with words of one's own", () => {
  expect(answer("1, 2", true)).toEqual({ values: ["a", "b"], text: "" });
  expect(answer("1 and a third", true)).toEqual({ values: ["a", "own"], text: "and a third" });
});

it("is read out with numbers and with what a line may be", () => {
  const options = { spoken: "Question" as const, title: "1 of 2: Which?", choices, escape: "skips" };
  expect(spokenQuestion(options, themeFor("dark", "plain"))).toEqual([
    "Question 1 of 2: Which?",
    "1. SQLite",
    "2. Postgres (a server)",
    "3. Something else",
    "Type a number, with your own words where a choice takes them; an empty line skips.",
  ]);
});
