import { expect, test } from "vitest";
import { contentOf, formOf } from "./forms.ts";

test("a form of an MCP server is one question per field, and the answers have the types it wants", () => {
  const { questions, fields } = formOf("Who are you?", {
    properties: {
      name: { type: "string", title: "Name", description: "As people call you" },
      age: { type: "integer" },
      sure: { type: "boolean" },
      color: { type: "string", enum: ["red", "blue"] },
      tags: { type: "array", items: { anyOf: [{ const: "a", title: "A" }, { const: "b" }] } },
    },
  });
  expect(questions.map(({ id, type, multiSelect, allowCustom }) => [id, type, multiSelect, allowCustom])).toEqual([
    ["name", "string", false, true],
    ["age", "number", false, true],
    ["sure", "boolean", false, true],
    ["color", "string", false, false],
    ["tags", "string", true, false],
  ]);
  expect(questions[0]).toMatchObject({ header: "Name", question: "Who are you?\nAs people call you" });
  expect(questions[3]?.options.map(({ label }) => label)).toEqual(["red", "blue"]);
  expect(questions[4]?.options.map(({ label }) => label)).toEqual(["a", "b"]);
  expect(contentOf(fields, [["Ann"], ["7"], ["true"], ["red"], ["a", "b"]])).toEqual({
    name: "Ann",
    age: 7,
    sure: true,
    color: "red",
    tags: ["a", "b"],
  });
  expect(contentOf(fields, [["Ann"]])).toEqual({ name: "Ann", tags: [] });
});

test("a form without fields asks for a yes", () => {
  expect(formOf("Go on?", {})).toMatchObject({ questions: [{ question: "Go on?", type: "boolean" }], fields: [] });
});
