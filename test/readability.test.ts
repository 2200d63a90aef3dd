/** The figures of scripts/readability.mjs: what counts as a sentence, and which kinds of sentences it finds. */
import { expect, test } from "vitest";
import { readability, sentencesOf } from "../scripts/readability.mjs";

test("prose is cut into sentences; fences, tables, headings and addresses are none", () => {
  const page = [
    "# A heading with four words",
    "The daemon starts an agent. It reads [the page of options](docs/options.md) first.",
    "```sh",
    "this is no sentence at all",
    "```",
    "| a table | is none |",
    "- One point of a list here.",
    "- Another point of it here.",
  ].join("\n");
  expect(sentencesOf(page)).toEqual([
    "The daemon starts an agent.",
    "It reads the page of options first.",
    "One point of a list here.",
    "Another point of it here.",
  ]);
});

test.each([
  ["passive", "The file is not written by the agent."],
  ["passive", "Keys are never kept on the disk."],
  ["inverted", "What was lost stays lost for good."],
  ["inverted", "Only then does the turn begin."],
  ["long", `The daemon ${"very ".repeat(30)}slowly starts.`],
] as const)("a sentence of the kind %s is found", (kind, sentence) => {
  const { found } = readability([sentence]);
  expect(found[kind]).toEqual([sentence]);
});

test("a plain sentence is of no kind", () => {
  const { found, perSentence } = readability(["The daemon stops every process that it started."]);
  expect(found).toEqual({ long: [], passive: [], inverted: [] });
  expect(perSentence).toBe(8);
});
